/** Gets a challenge and has it solved off the main thread, so that typing stays smooth. */
import { queryOptions } from '@tanstack/react-query'
import { solveChallengeWorkers, type Challenge, type Solution } from 'altcha-lib'
import { ApiError, functionError } from '@/lib/errors'
import { publicFunctions } from '@/lib/functions'

/** More workers than this only make a phone warm. */
const MAX_WORKERS = 4
/** A solved challenge is not used in its last seconds: it could end on the way. */
const MARGIN = 20_000

export interface SolvedCaptcha {
  payload: string
  /** Milliseconds; when the challenge ends. */
  expiresAt: number
}

async function fetchChallenge(serverId: string): Promise<Challenge> {
  const name = `captcha-challenge?purpose=vote&server=${encodeURIComponent(serverId)}`
  const { data, error } = await publicFunctions.invoke<Challenge>(name, { method: 'GET' })
  if (error !== null) throw await functionError(error)
  if (data === null) throw new ApiError('no_data', 'The answer is empty', 200)
  return data
}

async function solve(challenge: Challenge, signal: AbortSignal): Promise<Solution> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const solution = await solveChallengeWorkers({
      challenge,
      controller,
      concurrency: Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1),
      createWorker: () => new Worker(new URL('../model/captcha.worker.ts', import.meta.url), { type: 'module' }),
    })
    if (solution === null) throw new ApiError('captcha_unsolved', 'The challenge was not solved', 0)
    return solution
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function solvedCaptcha(serverId: string, signal: AbortSignal): Promise<SolvedCaptcha> {
  const challenge = await fetchChallenge(serverId)
  const solution = await solve(challenge, signal)
  const { parameters, signature } = challenge
  const ends = parameters.expiresAt
  return {
    payload: btoa(JSON.stringify({ challenge: { parameters, signature }, solution })),
    expiresAt: ends === undefined ? Number.POSITIVE_INFINITY : ends * 1000,
  }
}

export const captchaKey = (serverId: string) => ['captcha', 'vote', serverId] as const

/** Kept while the dialog is open and only as long as the server will take it. */
export const captchaQuery = (serverId: string) =>
  queryOptions({
    queryKey: captchaKey(serverId),
    queryFn: ({ signal }) => solvedCaptcha(serverId, signal),
    staleTime: (query) => {
      const solved = query.state.data
      return solved === undefined ? 0 : Math.max(0, solved.expiresAt - MARGIN - query.state.dataUpdatedAt)
    },
    gcTime: 0,
    retry: 1,
    refetchOnWindowFocus: false,
  })
