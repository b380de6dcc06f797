/** The public settings of the auth service. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError, toApiError } from '@/lib/api/errors'
import { config } from '@/lib/config'
import { STALE_TIME } from '@/lib/query/stale-times'
import { accountKeys } from './keys'
import { PROVIDER_IDS, type ProviderId } from './providers'

export interface AuthSettings {
  /** The outside accounts for signing in, in the order in which they are offered. */
  providers: ProviderId[]
  signUpOpen: boolean
  /** Whether text messages can be sent. */
  sendsTexts: boolean
  /** Whether passkeys can be used to sign in. */
  passkeys: boolean
}

export function readAuthSettings(answer: unknown): AuthSettings {
  const fields: Record<string, unknown> = typeof answer === 'object' && answer !== null ? { ...answer } : {}
  const external: Record<string, unknown> =
    typeof fields.external === 'object' && fields.external !== null ? { ...fields.external } : {}
  return {
    providers: PROVIDER_IDS.filter((id) => external[id] === true),
    signUpOpen: fields.disable_signup !== true,
    sendsTexts: typeof fields.sms_provider === 'string' && fields.sms_provider !== '',
    passkeys: fields.passkeys_enabled === true,
  }
}

/**
 * Whether this browser supports passkeys and security keys; pages over plain HTTP may not use them.
 */
export function hasKeySupport(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

async function fetchAuthSettings(signal: AbortSignal): Promise<AuthSettings> {
  try {
    const answer = await fetch(`${config.url}/auth/v1/settings`, { headers: { apikey: config.anonKey }, signal })
    if (!answer.ok) throw new ApiError('unknown', answer.statusText, answer.status)
    return readAuthSettings(await answer.json())
  } catch (cause) {
    throw toApiError(cause)
  }
}

export const authSettingsQuery = () =>
  queryOptions({
    queryKey: accountKeys.authSettings,
    queryFn: ({ signal }) => fetchAuthSettings(signal),
    staleTime: STALE_TIME.never,
  })
