/**
 * Ceremonies of passkeys: the server's request goes to the browser, and the authenticator's
 * response goes back.
 */
import { ApiError, request } from './client'
import type { Session } from './session'

/** A challenge for an authenticator. */
export interface CeremonyStart {
  challenge_id: string
  options: PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON
}

export interface CeremonyAnswer {
  challenge_id: string
  credential: unknown
}

export interface Passkey {
  id: string
  name: string
  /** The only domain for which the authenticator responds. */
  domain: string
  created_at: string
  last_used_at: string | null
}

/**
 * Whether the browser can use passkeys on this page: it must support them, and the address must
 * have a domain name.
 */
export function passkeySupport(host = location.hostname): 'yes' | 'no_browser' | 'no_domain' {
  if (/^[\d.]+$|^\[/.test(host)) return 'no_domain'
  const isKnown =
    typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  return isKnown ? 'yes' : 'no_browser'
}

/** Creates a passkey with the authenticator. */
export const createPasskey = (start: CeremonyStart): Promise<CeremonyAnswer> =>
  answer(start, () =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        start.options as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  )

/** Authenticates with a passkey. */
export const showPasskey = (start: CeremonyStart): Promise<CeremonyAnswer> =>
  answer(start, () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        start.options as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  )

async function answer(start: CeremonyStart, ask: () => Promise<Credential | null>): Promise<CeremonyAnswer> {
  let credential: Credential | null
  try {
    credential = await ask()
  } catch (error) {
    const isHeld = error instanceof DOMException && error.name === 'InvalidStateError'
    throw new ApiError(0, isHeld ? 'passkey_exists' : 'passkey_cancelled', String(error))
  }
  if (!credential) throw new ApiError(0, 'passkey_cancelled', 'no passkey was shown')
  return { challenge_id: start.challenge_id, credential: (credential as PublicKeyCredential).toJSON() }
}

/** Signs in with a passkey only. */
export async function signInByPasskey(): Promise<Session> {
  const start = await request<CeremonyStart>('session/challenge', { method: 'POST' })
  return request<Session>('session/passkey', { method: 'POST', body: await showPasskey(start) })
}
