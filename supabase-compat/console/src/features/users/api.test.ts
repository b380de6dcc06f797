import { expect, it } from 'vitest'
import { claimsOf, nameOf, providersOf, statusOf, type User } from './api'

const USER: User = {
  id: 'u1',
  aud: 'authenticated',
  role: 'authenticated',
  email: 'ada@notes.test',
  phone: '',
  created_at: '2026-01-01T00:00:00Z',
  is_anonymous: false,
  app_metadata: {},
  user_metadata: {},
}

it('shows a ban until it ends', () => {
  const banned = { ...USER, confirmed_at: '2026-01-01T00:00:00Z', banned_until: '2026-02-01T00:00:00Z' }
  expect(statusOf(banned, Date.parse('2026-01-15'))).toBe('banned')
  expect(statusOf(banned, Date.parse('2026-02-15'))).toBe('active')
})

it('distinguishes an invitation from an unconfirmed address', () => {
  expect(statusOf(USER)).toBe('unconfirmed')
  expect(statusOf({ ...USER, invited_at: '2026-01-01T00:00:00Z' })).toBe('invited')
  expect(statusOf({ ...USER, is_anonymous: true })).toBe('anonymous')
})

it('prefers the name of accounts over their email', () => {
  expect(nameOf(USER)).toBe('ada@notes.test')
  expect(nameOf({ ...USER, user_metadata: { full_name: 'Ada' } })).toBe('Ada')
  expect(nameOf({ ...USER, email: '' })).toBe('u1')
})

it('reads both formats of providers', () => {
  expect(providersOf({ ...USER, app_metadata: { provider: 'email' } })).toEqual(['email'])
  expect(providersOf({ ...USER, app_metadata: { providers: ['email', 'github'] } })).toEqual(['email', 'github'])
  expect(providersOf(USER)).toEqual([])
})

it('returns the claims that policies read', () => {
  expect(claimsOf({ ...USER, app_metadata: { plan: 'pro' } })).toMatchObject({
    sub: 'u1',
    role: 'authenticated',
    app_metadata: { plan: 'pro' },
  })
})
