/** Gets a challenge and solves it while a form is filled in, or waits for a provider's widget. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError, functionError } from '@/lib/api/errors'
import { publicFunctions } from '@/lib/api/functions'
import { solveChallenge, type Challenge } from '@/lib/browser/proof-of-work/solve'
import { config } from '@/lib/config'
import { captchaKeys } from './keys'

/** A solved challenge is not used in its last 20 seconds: it could expire on the way. */
const MARGIN = 20_000

export interface SolvedCaptcha {
  payload: string
  /** When the challenge expires, in milliseconds. */
  expiresAt: number
}

/** What a solved challenge is valid for: one purpose about one server. */
export interface CaptchaScope {
  purpose: 'vote' | 'notice'
  serverId: string
}

async function fetchChallenge({ purpose, serverId }: CaptchaScope, signal: AbortSignal): Promise<Challenge> {
  const name = `captcha-challenge?purpose=${purpose}&server=${encodeURIComponent(serverId)}`
  const { data, error } = await publicFunctions.invoke<Challenge>(name, { method: 'GET', signal })
  if (error !== null) throw await functionError(error)
  if (data === null) throw new ApiError('no_data', 'The answer is empty', 200)
  return data
}

async function solvedCaptcha(scope: CaptchaScope, signal: AbortSignal): Promise<SolvedCaptcha> {
  const challenge = await fetchChallenge(scope, signal)
  const ends = challenge.parameters.expiresAt
  return {
    payload: await solveChallenge(challenge, signal),
    expiresAt: ends === undefined ? Number.POSITIVE_INFINITY : ends * 1000,
  }
}

/** Whether the site uses its own challenges; else a widget of the provider is shown. */
export const SOLVES_ITSELF = config.captcha === 'altcha'

/** A widget writes its token into the cache; a query that runs has no token yet. */
function untouched(): Promise<SolvedCaptcha> {
  return Promise.reject(new ApiError('captcha_needed', 'The check has not been done', 400))
}

/** Kept while the form is open and only as long as the server accepts it. */
export const captchaQuery = (scope: CaptchaScope) =>
  queryOptions({
    queryKey: captchaKeys.of(scope.purpose, scope.serverId),
    queryFn: ({ signal }) => (SOLVES_ITSELF ? solvedCaptcha(scope, signal) : untouched()),
    staleTime: (query) => {
      const solved = query.state.data
      return solved === undefined ? 0 : Math.max(0, solved.expiresAt - MARGIN - query.state.dataUpdatedAt)
    },
    gcTime: 0,
    // Offline, a paused query would look like progress; the failure says what is missing.
    networkMode: 'always',
    retry: SOLVES_ITSELF ? 1 : false,
    refetchOnWindowFocus: false,
  })

/** Why there is no solved challenge: the network, the rate limit, the site, or this browser. */
export function captchaFailure(error: ApiError): 'offline' | 'tooMany' | 'down' | 'failed' {
  if (error.code === 'offline') return 'offline'
  if (error.status === 429) return 'tooMany'
  return error.status >= 500 ? 'down' : 'failed'
}
