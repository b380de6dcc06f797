/** Works out the proof the auth service asks for, where it asks. Knows its own challenges only, no third party's. */
import { config } from '@/lib/config'
import { ApiError, toApiError } from '@/lib/api/errors'
import { solveChallenge, type Challenge } from '@/lib/browser/proof-of-work/solve'

/** Learned from the first refusal, so that later requests bring their proof along. */
let wanted = false

async function provenToken(): Promise<string> {
  const answer = await fetch(`${config.url}/auth/v1/captcha`, { headers: { apikey: config.anonKey } })
  if (!answer.ok) throw new ApiError('captcha_failed', answer.statusText, answer.status)
  return solveChallenge((await answer.json()) as Challenge)
}

/** Sends as it is; where that is refused for want of a proof, once more with one. */
export async function withCaptcha<T>(send: (captchaToken: string | undefined) => Promise<T>): Promise<T> {
  try {
    return await send(wanted ? await provenToken() : undefined)
  } catch (cause) {
    const error = toApiError(cause)
    if (error.code !== 'captcha_failed' || wanted) throw error
  }
  wanted = true
  return send(await provenToken())
}
