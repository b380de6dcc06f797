// Second factors, through auth-js as published.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PASSWORD, startAuth, errorFields } from '../support/auth.mjs'
import { totp } from '../support/totp.mjs'

let world
const auth = () => world.client().auth

before(async () => {
  world = await startAuth({
    env: {
      GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
      GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
      GOTRUE_MFA_PHONE_MAX_FREQUENCY: '0s',
      GOTRUE_SMS_TEST_OTP: '15550100:123456',
    },
  })
})
after(() => world?.stop())

const level = async (person) => (await person.mfa.getAuthenticatorAssuranceLevel()).data

describe('a code from an app', () => {
  test('upgrades the session and ends weaker sessions', async () => {
    const email = 'totp@example.org'
    const { auth: person } = await world.person(email)
    const weaker = auth()
    const { data: otherSession } = await weaker.signInWithPassword({ email, password: PASSWORD })
    assert.deepEqual([(await level(person)).currentLevel, (await level(person)).nextLevel], ['aal1', 'aal1'])

    const { data: factor, error } = await person.mfa.enroll({ factorType: 'totp', friendlyName: 'app', issuer: 'The site' })
    assert.equal(error, null)
    assert.match(factor.totp.qr_code, /^data:image\/svg\+xml;utf-8,<.*svg/s)
    const uri = new URL(factor.totp.uri)
    assert.equal(uri.searchParams.get('secret'), factor.totp.secret)
    assert.equal(uri.searchParams.get('issuer'), 'The site')

    const { data: challenge } = await person.mfa.challenge({ factorId: factor.id })
    const wrong = await person.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code: '000000' })
    assert.deepEqual(errorFields(wrong.error), { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' })
    const right = await person.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code: totp(factor.totp.secret) })
    assert.equal(right.error, null)
    assert.deepEqual(await level(person), {
      currentLevel: 'aal2',
      nextLevel: 'aal2',
      currentAuthenticationMethods: (await level(person)).currentAuthenticationMethods,
    })
    assert.deepEqual((await level(person)).currentAuthenticationMethods.map(({ method }) => method), ['totp', 'password'])
    assert.ok((await auth().getUser(otherSession.session.access_token)).error)

    const replayed = await person.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code: totp(factor.totp.secret) })
    assert.equal(replayed.error.code, 'mfa_ip_address_mismatch')
    const { data: listed } = await person.mfa.listFactors()
    assert.deepEqual(listed.totp.map(({ id, status }) => ({ id, status })), [{ id: factor.id, status: 'verified' }])
    assert.equal(listed.all[0].secret, undefined)

    const later = auth()
    await later.signInWithPassword({ email, password: PASSWORD })
    assert.deepEqual([(await level(later)).currentLevel, (await level(later)).nextLevel], ['aal1', 'aal2'])
    assert.equal((await later.updateUser({ password: 'another one' })).error.code, 'insufficient_aal')
    assert.equal((await later.mfa.unenroll({ factorId: factor.id })).error.code, 'insufficient_aal')
    assert.equal((await later.mfa.enroll({ factorType: 'totp', friendlyName: 'more' })).error.code, 'insufficient_aal')

    assert.equal((await person.mfa.unenroll({ factorId: factor.id })).data.id, factor.id)
    await person.refreshSession()
    assert.equal((await level(person)).currentLevel, 'aal1')
  })

  test('needs a unique name and an own factor', async () => {
    const { auth: person } = await world.person('names@example.org')
    const { data: factor } = await person.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    const twice = await person.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    assert.equal(twice.error.code, 'mfa_factor_name_conflict')
    const { auth: other } = await world.person('other@example.org')
    const foreign = await other.mfa.challenge({ factorId: factor.id })
    assert.deepEqual([foreign.error.status, foreign.error.code], [404, 'mfa_factor_not_found'])
    const unknown = await person.mfa.verify({
      factorId: factor.id,
      challengeId: '00000000-0000-0000-0000-000000000000',
      code: '123456',
    })
    assert.deepEqual([unknown.error.status, unknown.error.code], [422, 'mfa_factor_not_found'])
    const webauthn = await person.mfa.enroll({ factorType: 'webauthn', friendlyName: 'key' })
    assert.deepEqual([webauthn.error.status, webauthn.error.code], [422, 'mfa_webauthn_enroll_not_enabled'])
  })

  test('cannot be enrolled without a session', async () => {
    const { keys, url } = world.server
    const answer = await fetch(`${url}/auth/v1/factors`, { method: 'POST', headers: { apikey: keys.ANON_KEY }, body: '{}' })
    assert.deepEqual([answer.status, (await answer.json()).msg], [401, 'This endpoint requires a valid Bearer token'])
  })
})

describe('a code by text message', () => {
  test('is enrolled and upgrades the session', async () => {
    const { auth: person } = await world.person('texts@example.org')
    const { data: factor, error } = await person.mfa.enroll({ factorType: 'phone', friendlyName: 'mobile', phone: '+15550100' })
    assert.equal(error, null)
    assert.equal(factor.type, 'phone')
    assert.equal(factor.phone, '15550100')
    const { data: challenge, error: challengeError } = await person.mfa.challenge({ factorId: factor.id, channel: 'sms' })
    assert.equal(challengeError, null)
    assert.equal(challenge.type, 'phone')
    const wrong = await person.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code: '000000' })
    assert.deepEqual([wrong.error.status, wrong.error.code], [422, 'mfa_verification_failed'])
    const right = await person.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code: '123456' })
    assert.equal(right.error, null)
    assert.equal((await level(person)).currentLevel, 'aal2')
    assert.deepEqual((await level(person)).currentAuthenticationMethods.map(({ method }) => method), ['mfa/phone', 'password'])
    assert.equal((await person.mfa.listFactors()).data.phone[0].phone, '15550100')
    const twice = await person.mfa.enroll({ factorType: 'phone', friendlyName: 'again', phone: '+15550100' })
    assert.deepEqual([twice.error.status, twice.error.code], [422, 'mfa_verified_factor_exists'])
  })
})
