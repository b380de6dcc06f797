import { request } from '@/api/client'

export const changePassword = (body: { current: string; new: string }) =>
  request<void>('password', { method: 'PUT', body })
export const startSecondFactor = () => request<{ uri: string; secret: string }>('second-factor', { method: 'POST' })
export const confirmSecondFactor = (code: string) =>
  request<void>('second-factor/confirmation', { method: 'POST', body: { code } })
export const removeSecondFactor = (password: string) =>
  request<void>('second-factor', { method: 'DELETE', body: { password } })
