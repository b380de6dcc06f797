/** The session and the project. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError, request } from './client'
import type { CeremonyResponse } from './passkeys'

export type Role = 'owner' | 'developer' | 'read_only'

interface Operator {
  id: string
  email: string
  role: Role
  /** Whether the account has an authenticator app as a second factor. */
  second_factor: boolean
  /** The number of passkeys. */
  passkeys: number
}

export interface Session {
  operator: Operator
  project: { name: string; version: string; api_url: string }
  keys: { anon: string }
  services: string[]
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) =>
    request<Session>('session', { signal }).catch((error: unknown): null => {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }),
  staleTime: 60_000,
})

export const signIn = (body: { email: string; password: string; code?: string; passkey?: CeremonyResponse }) =>
  request<Session>('session', { method: 'POST', body })
export const signOut = () => request<void>('session', { method: 'DELETE' })
export const checkSetupLink = (token: string, signal?: AbortSignal) =>
  request<{ role: Role }>('setup', { query: { token }, signal })
export const setUp = (body: { token: string; email: string; password: string }) =>
  request<Session>('setup', { method: 'POST', body })
