/**
 * Ceremonies of passkeys: the server's request goes to the browser, and the authenticator's
 * response goes back.
 */
import { ApiError, request } from './client'
import type { Session } from './session'

/** A challenge for an authenticator. */
export interface CeremonyChallenge {
  challenge_id: string
  options: PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON
}

export interface CeremonyResponse {
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
  const isSupported =
    typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  return isSupported ? 'yes' : 'no_browser'
}

/** Creates a passkey with the authenticator. */
export const createPasskey = (challenge: CeremonyChallenge): Promise<CeremonyResponse> =>
  runCeremony(challenge, () =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        challenge.options as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  )

/** Authenticates with a passkey. */
export const authenticatePasskey = (challenge: CeremonyChallenge): Promise<CeremonyResponse> =>
  runCeremony(challenge, () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        challenge.options as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  )

async function runCeremony(
  challenge: CeremonyChallenge,
  authenticate: () => Promise<Credential | null>,
): Promise<CeremonyResponse> {
  let credential: Credential | null
  try {
    credential = await authenticate()
  } catch (error) {
    const isDuplicate = error instanceof DOMException && error.name === 'InvalidStateError'
    throw new ApiError(0, isDuplicate ? 'passkey_exists' : 'passkey_cancelled', String(error))
  }
  if (!credential) throw new ApiError(0, 'passkey_cancelled', 'no passkey was shown')
  return { challenge_id: challenge.challenge_id, credential: (credential as PublicKeyCredential).toJSON() }
}

/** Signs in with a passkey only. */
export async function signInByPasskey(): Promise<Session> {
  const challenge = await request<CeremonyChallenge>('session/challenge', { method: 'POST' })
  return request<Session>('session/passkey', { method: 'POST', body: await authenticatePasskey(challenge) })
}
