import { expect, it } from 'vitest'
import { safeParse } from 'valibot'
import { endOf, roleOf, rolesGivenBy, sanctionSchema } from './sanction'

it('ends after whole days, or never', () => {
  const now = Date.UTC(2031, 4, 1, 12)
  expect(endOf(3, now)).toBe('2031-05-04T12:00:00.000Z')
  expect(endOf(null, now)).toBeNull()
})

it('sanction requires a rule and a message', () => {
  expect(safeParse(sanctionSchema, { reason: 'spam', statement: ' ', days: null }).success).toBe(false)
  expect(safeParse(sanctionSchema, { reason: '', statement: 'Why', days: null }).success).toBe(false)
  expect(safeParse(sanctionSchema, { reason: 'spam', statement: 'Why', days: 4000 }).success).toBe(false)
  expect(safeParse(sanctionSchema, { reason: 'spam', statement: 'Why', days: 7 }).success).toBe(true)
})

it('reads an unknown role as that of everybody', () => {
  expect([roleOf('founder'), roleOf('king')]).toEqual(['founder', 'user'])
})

it('returns the roles each role may assign', () => {
  expect(rolesGivenBy('admin')).toEqual(['user', 'admin'])
  expect(rolesGivenBy('founder')).toEqual(['user', 'admin', 'founder'])
})
