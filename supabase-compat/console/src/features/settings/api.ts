import { queryOptions } from '@tanstack/react-query'
import { request } from '@/api/client'
import { createPasskey, type CeremonyStart, type Passkey } from '@/api/passkeys'

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

/** Asks for the password first: whoever sits at an open session must not make themselves a way in. */
export async function addPasskey({ name, password }: { name: string; password: string }): Promise<void> {
  const start = await request<CeremonyStart>('passkeys/challenge', { method: 'POST', body: { password } })
  await request<void>('passkeys', { method: 'POST', body: { ...(await createPasskey(start)), name } })
}

export const renamePasskey = ({ id, name }: { id: string; name: string }) =>
  request<void>(`passkeys/${id}`, { method: 'PATCH', body: { name } })
export const removePasskey = ({ id, password }: { id: string; password: string }) =>
  request<void>(`passkeys/${id}`, { method: 'DELETE', body: { password } })
