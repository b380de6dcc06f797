import { queryOptions } from '@tanstack/react-query'
import { request } from '@/api/client'
import type { Role } from '@/api/session'

export const ROLES: readonly Role[] = ['owner', 'developer', 'read_only']

export interface OperatorRow {
  id: string
  email: string
  role: Role
  created_at: string
  last_seen_at: string | null
  second_factor: boolean
}

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: async ({ signal }) => (await request<{ operators: OperatorRow[] }>('operators', { signal })).operators,
})

export const inviteOperator = (role: Role) =>
  request<{ url: string; expires_at: string }>('operators/invitations', { method: 'POST', body: { role } })
export const changeRole = ({ id, role }: { id: string; role: Role }) =>
  request<void>(`operators/${id}`, { method: 'PATCH', body: { role } })
export const removeOperator = (id: string) => request<void>(`operators/${id}`, { method: 'DELETE' })
