import { expect, it } from 'vitest'
import { departureFor, rememberDeparture } from './departure'

it('tells once, and only to whom it concerns', () => {
  expect(departureFor('link')).toBeNull()
  rememberDeparture({ purpose: 'link', provider: 'google' })
  expect(departureFor('signIn')).toBeNull()
  expect(departureFor('link')).toBe('google')
  expect(departureFor('link')).toBeNull()
})
