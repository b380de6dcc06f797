import { expect, it } from 'vitest'
import { arrivalAt, needsSecondStep } from './session-store'

function session(claims: object, statuses: string[]) {
  const part = (value: object): string =>
    btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const factors = statuses.map((status) => ({ id: status, factor_type: 'totp', status }))
  return { access_token: `${part({ alg: 'ES256' })}.${part(claims)}.c2ln`, user: { factors } } as never
}

it.each([
  ['no factor', session({ aal: 'aal1' }, []), false],
  ['an unfinished factor', session({ aal: 'aal1' }, ['unverified']), false],
  ['a factor not shown', session({ aal: 'aal1', name: 'Zoë?>~' }, ['unverified', 'verified']), true],
  ['a factor shown', session({ aal: 'aal2' }, ['verified']), false],
  ['a token that says nothing', session({}, ['verified']), true],
])('%s', (_, url, answer) => {
  expect(needsSecondStep(url)).toBe(answer)
})

it.each([
  ['/', '', { byLink: false, isNewSession: false, refusal: null }],
  ['?code=c', '', { byLink: true, isNewSession: true, refusal: null }],
  ['?error=access_denied&error_code=otp_expired', '', { byLink: true, isNewSession: true, refusal: 'otp_expired' }],
  ['', '#error_code=identity_already_exists', { byLink: true, isNewSession: true, refusal: 'identity_already_exists' }],
  ['?promocode=1', '', { byLink: false, isNewSession: false, refusal: null }],
])('reads what %s%s left', (search, hash, arrival) => {
  expect(arrivalAt({ search, hash })).toEqual(arrival)
})
