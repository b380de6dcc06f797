import { queryOptions } from '@tanstack/react-query'
import { request } from '@/api/client'
import { createPasskey, type CeremonyChallenge, type Passkey } from '@/api/passkeys'

export const changePassword = (body: { current: string; new: string }) =>
  request<void>('password', { method: 'PUT', body })
export const startSecondFactor = () => request<{ uri: string; secret: string }>('second-factor', { method: 'POST' })
export const confirmSecondFactor = (code: string) =>
  request<void>('second-factor/confirmation', { method: 'POST', body: { code } })
export const removeSecondFactor = (password: string) =>
  request<void>('second-factor', { method: 'DELETE', body: { password } })

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async ({ signal }) => (await request<{ passkeys: Passkey[] }>('passkeys', { signal })).passkeys,
})

/** Requires the password: a person at an unlocked session must not be able to add a way in. */
export async function addPasskey({ name, password }: { name: string; password: string }): Promise<void> {
  const start = await request<CeremonyChallenge>('passkeys/challenge', { method: 'POST', body: { password } })
  await request<void>('passkeys', { method: 'POST', body: { ...(await createPasskey(start)), name } })
}

export const renamePasskey = ({ id, name }: { id: string; name: string }) =>
  request<void>(`passkeys/${id}`, { method: 'PATCH', body: { name } })
export const removePasskey = ({ id, password }: { id: string; password: string }) =>
  request<void>(`passkeys/${id}`, { method: 'DELETE', body: { password } })

export interface Warning {
  name: string
  level: 'error' | 'warning' | 'info'
  /** The people or objects that the warning is about. */
  subjects: string[]
}

export const warningsQuery = queryOptions({
  queryKey: ['warnings'],
  queryFn: async ({ signal }) => (await request<{ warnings: Warning[] }>('warnings', { signal })).warnings,
})

export type SecretName = 'service_role' | 'secret' | 'jwt_secret'

export type OpaqueKeyName = 'publishable' | 'secret'

export interface KeySummary {
  anon: string
  publishable: string
  /** The names of secret keys; their values are shown one at a time. */
  secrets: SecretName[]
  /** Environment variables that set keys. */
  variables: string[]
  source: 'folder' | 'setting' | 'secret'
  signing: { kid: string; algorithm: string; status: 'standby' | 'in_use' | 'previously_used' | 'revoked' }[]
  /** The keys of the data folder; only the beginning of each is shown. */
  opaque: { name: OpaqueKeyName; id: string; status: 'in_use' | 'previously_used' }[]
  needs_restart: boolean
}

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => request<KeySummary>('keys', { signal }),
})

export const showSecret = ({ name, password }: { name: SecretName; password: string }) =>
  request<{ value: string }>(`keys/${name}/value`, { method: 'POST', body: { password } })
export const replaceOpaqueKey = ({ name, password }: { name: OpaqueKeyName; password: string }) =>
  request<{ value: string }>(`opaque-keys/${name}`, { method: 'POST', body: { password } })
export const revokeOpaqueKey = (id: string) =>
  request<void>(`opaque-keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
export const changeSigningKeys = (body: { action: 'standby' | 'rotate' } | { action: 'revoke'; kid: string }) =>
  request<{ changed: string[] }>('signing-keys', { method: 'POST', body })
