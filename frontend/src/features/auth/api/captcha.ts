/**
 * Solves the auth service's challenge, where it requires one. Supports the service's own challenges
 * only, none of third parties.
 */
import { config } from '@/lib/config'
import { ApiError, toApiError } from '@/lib/api/errors'
import { solveChallenge, type Challenge } from '@/lib/browser/proof-of-work/solve'

/** Set by the first refusal, so that later requests include a proof. */
let isRequested = false

async function provenToken(): Promise<string> {
  const answer = await fetch(`${config.url}/auth/v1/captcha`, { headers: { apikey: config.anonKey } })
  if (!answer.ok) throw new ApiError('captcha_failed', answer.statusText, answer.status)
  return solveChallenge((await answer.json()) as Challenge)
}

/**
 * Sends the request without a proof; if it is refused for lack of one, solves a challenge and sends
 * it again.
 */
export async function withCaptcha<T>(send: (captchaToken: string | undefined) => Promise<T>): Promise<T> {
  try {
    return await send(isRequested ? await provenToken() : undefined)
  } catch (cause) {
    const error = toApiError(cause)
    if (error.code !== 'captcha_failed' || isRequested) throw error
  }
  isRequested = true
  return send(await provenToken())
}
