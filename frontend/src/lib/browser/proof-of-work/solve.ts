/** Solves ALTCHA challenges off the main thread, so that typing stays smooth. Knows nothing of what they guard. */
import { solveChallengeWorkers, type Challenge } from 'altcha-lib'
import { ApiError } from '@/lib/api/errors'

export type { Challenge }

/** More workers than this only make a phone warm. */
const MAX_WORKERS = 4

/** The payload that goes with the guarded request. */
export async function solveChallenge(challenge: Challenge, signal?: AbortSignal): Promise<string> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const solution = await solveChallengeWorkers({
      challenge,
      controller,
      concurrency: Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1),
      createWorker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
    })
    if (solution === null) throw new ApiError('captcha_unsolved', 'The challenge was not solved', 0)
    const { parameters, signature } = challenge
    return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }))
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
