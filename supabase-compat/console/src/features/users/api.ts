/** Accounts of the project's application, through the administration API of auth/v1. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { send, serviceRequest, serviceUrl } from '@/api/client'

export const PAGE_SIZE = 50
/** The longest ban that auth/v1 can represent: a ban without an end. */
export const FOREVER = '876000h'

interface Identity {
  id: string
  identity_id?: string
  provider: string
  identity_data?: Record<string, unknown>
  created_at?: string
  last_sign_in_at?: string | null
}

export interface Factor {
  id: string
  friendly_name?: string
  factor_type: string
  status: 'verified' | 'unverified'
  created_at: string
}

export interface User {
  id: string
  aud: string
  role: string
  email: string
  phone: string
  email_confirmed_at?: string
  phone_confirmed_at?: string
  invited_at?: string
  confirmed_at?: string
  last_sign_in_at?: string
  banned_until?: string
  deleted_at?: string
  created_at: string
  updated_at?: string
  is_anonymous: boolean
  app_metadata: Record<string, unknown>
  user_metadata: Record<string, unknown>
  identities?: Identity[] | null
  factors?: Factor[]
}

const ALL = ['users'] as const

export const usersQuery = (filter: string, page: number) =>
  queryOptions({
    queryKey: [...ALL, 'list', filter, page],
    queryFn: async ({ signal }) => {
      const url = serviceUrl('auth/v1/admin/users', { page, per_page: PAGE_SIZE, filter: filter || undefined })
      const response = await send(url, { signal })
      const { users } = (await response.json()) as { users: User[] }
      return { users, total: Number(response.headers.get('x-total-count') ?? users.length) }
    },
    placeholderData: keepPreviousData,
  })

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...ALL, 'one', id],
    queryFn: ({ signal }) => serviceRequest<User>(`auth/v1/admin/users/${encodeURIComponent(id)}`, { signal }),
  })

export const usersKey = ALL

export interface NewUser {
  email: string
  password?: string
  email_confirm: boolean
}

export const createUser = (body: NewUser) => serviceRequest<User>('auth/v1/admin/users', { method: 'POST', body })
export const inviteUser = (email: string) => serviceRequest<User>('auth/v1/invite', { method: 'POST', body: { email } })
export const changeUser = ({ id, ...body }: { id: string } & Record<string, unknown>) =>
  serviceRequest<User>(`auth/v1/admin/users/${id}`, { method: 'PUT', body })
export const deleteUser = (id: string) => serviceRequest<void>(`auth/v1/admin/users/${id}`, { method: 'DELETE' })
export const deleteFactor = ({ user, factor }: { user: string; factor: string }) =>
  serviceRequest<void>(`auth/v1/admin/users/${user}/factors/${factor}`, { method: 'DELETE' })
export const sendRecovery = (email: string) =>
  serviceRequest<void>('auth/v1/recover', { method: 'POST', body: { email } })
export const sendMagicLink = (email: string) =>
  serviceRequest<void>('auth/v1/otp', { method: 'POST', body: { email, create_user: false } })
export const makeLink = ({ email, type }: { email: string; type: 'magiclink' | 'recovery' }) =>
  serviceRequest<{ action_link: string }>('auth/v1/admin/generate_link', { method: 'POST', body: { email, type } })

export type AccountStatus = 'banned' | 'invited' | 'unconfirmed' | 'anonymous' | 'active'

/** The most important state of an account. */
export function statusOf(user: User, now: number = Date.now()): AccountStatus {
  if (user.banned_until && Date.parse(user.banned_until) > now) return 'banned'
  if (user.is_anonymous) return 'anonymous'
  if (user.confirmed_at ?? user.email_confirmed_at ?? user.phone_confirmed_at) return 'active'
  return user.invited_at ? 'invited' : 'unconfirmed'
}

/** The display name of an account: its name if it has one. */
export function nameOf(user: User): string {
  const { full_name: fullName, name } = user.user_metadata
  const displayName = [fullName, name].find((value) => typeof value === 'string' && value.trim() !== '')
  return (displayName as string | undefined) ?? (user.email || user.phone || user.id)
}

export function providersOf(user: User): string[] {
  const { providers, provider } = user.app_metadata
  if (Array.isArray(providers)) return providers.filter((one): one is string => typeof one === 'string')
  return typeof provider === 'string' ? [provider] : []
}

/** The claims in an access token of the account, without those of its session. */
export function claimsOf(user: User): Record<string, unknown> {
  const { id, aud, role, email, phone, app_metadata, user_metadata, is_anonymous } = user
  return { sub: id, aud, role, email, phone, app_metadata, user_metadata, is_anonymous }
}
