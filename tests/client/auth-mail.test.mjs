// Links and codes by mail, with and without a proof key, through auth-js as published.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PASSWORD, SITE, follow, startAuth, errorFields } from '../support/auth.mjs'
import { asOwner } from '../support/database.mjs'
import { codeOf, linkOf } from '../support/smtp.mjs'

let world
const auth = () => world.client().auth
const pkce = () => world.pkceClient().auth

before(async () => {
  world = await startAuth({
    env: {
      GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true',
      GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
      GOTRUE_SMS_TEST_OTP: '15550100:123456,15550101:654321',
      GOTRUE_SMS_MAX_FREQUENCY: '0s',
    },
  })
})
after(() => world?.stop())

describe('with a proof key', () => {
  test('confirmation link redirects with a PKCE code', async () => {
    const email = 'pkce@example.org'
    const person = pkce()
    const { data } = await person.signUp({ email, password: PASSWORD, options: { emailRedirectTo: `${SITE}/in` } })
    assert.equal(data.session, null)
    const link = linkOf(await world.mail.next(email))
    assert.match(link.searchParams.get('token'), /^pkce_/)
    const { place, query } = await follow(link)
    assert.equal(`${place.origin}${place.pathname}`, `${SITE}/in`)
    assert.equal(place.hash, '')
    const foreign = await fetch(`${world.server.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      headers: { apikey: world.server.keys.ANON_KEY, 'x-supabase-api-version': '2024-01-01' },
      body: JSON.stringify({ auth_code: query.get('code'), code_verifier: 'x'.repeat(60) }),
    })
    assert.deepEqual([foreign.status, (await foreign.json()).code], [400, 'bad_code_verifier'])
    const { data: entered, error } = await person.exchangeCodeForSession(query.get('code'))
    assert.equal(error, null)
    assert.equal(entered.user.email, email)
    const replay = await fetch(`${world.server.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      headers: { 'x-supabase-api-version': '2024-01-01' },
      body: JSON.stringify({ auth_code: query.get('code'), code_verifier: 'x'.repeat(60) }),
    })
    assert.deepEqual([replay.status, (await replay.json()).code], [404, 'flow_state_not_found'])
  })

  test('recovery emits its event and changes the password', async () => {
    const email = 'forgot@example.org'
    await world.person(email)
    const person = pkce()
    const events = []
    person.onAuthStateChange((event) => void events.push(event))
    assert.equal((await person.resetPasswordForEmail(email, { redirectTo: `${SITE}/reset-password` })).error, null)
    const { query } = await follow(linkOf(await world.mail.next(email)))
    const { data, error } = await person.exchangeCodeForSession(query.get('code'))
    assert.equal(error, null)
    assert.equal(data.redirectType, 'recovery')
    assert.ok(events.includes('PASSWORD_RECOVERY'))
    assert.equal((await person.updateUser({ password: 'chosen anew' })).error, null)
    assert.equal((await auth().signInWithPassword({ email, password: 'chosen anew' })).error, null)
  })

  test('a magic link works the same way', async () => {
    const email = 'magic@example.org'
    await world.person(email)
    const person = pkce()
    await person.signInWithOtp({ email, options: { emailRedirectTo: SITE } })
    const { query } = await follow(linkOf(await world.mail.next(email)))
    const { data, error } = await person.exchangeCodeForSession(query.get('code'))
    assert.equal(error, null)
    assert.deepEqual(
      (await person.getClaims(data.session.access_token)).data.claims.amr.map(({ method }) => method),
      ['magiclink'],
    )
  })

  test('e-mail change redirects with a code', async () => {
    const email = 'moving@example.org'
    await world.person(email)
    const person = pkce()
    await person.signInWithPassword({ email, password: PASSWORD })
    await person.updateUser({ email: 'moved@example.org' }, { emailRedirectTo: SITE })
    const half = await follow(linkOf(await world.mail.next('moved@example.org')))
    assert.match(half.fragment.get('message'), /^Confirmation link accepted/)
    const { query } = await follow(linkOf(await world.mail.next(email)))
    assert.match(query.get('code'), /^[0-9a-f-]{36}$/)
    // The client discards its verifier when it stores the changed user, so it cannot exchange the code.
    assert.equal((await person.getUser()).data.user.email, 'moved@example.org')
  })
})

describe('codes and hashes', () => {
  test('every mail type is verified by token hash', async () => {
    const hashOf = (mail) => linkOf(mail).searchParams.get('token')
    const verify = async (type, mail) => auth().verifyOtp({ type, token_hash: hashOf(mail) })
    const email = 'hash@example.org'
    await auth().signUp({ email, password: PASSWORD })
    assert.equal((await verify('signup', await world.mail.next(email))).error, null)
    let last = await world.mail.next(email)
    for (const [type, ask] of [
      ['recovery', () => auth().resetPasswordForEmail(email)],
      ['magiclink', () => auth().signInWithOtp({ email })],
      ['email', () => auth().signInWithOtp({ email })],
    ]) {
      assert.equal((await ask()).error, null)
      last = await world.mail.next(email, { after: last })
      const { data, error } = await verify(type, last)
      assert.equal(error, null, type)
      assert.equal(data.session.user.email, email)
      const replay = await verify(type, last)
      assert.deepEqual(errorFields(replay.error), {
        status: 403,
        code: 'otp_expired',
        message: 'Email link is invalid or has expired',
      })
    }
    await world.admin.inviteUserByEmail('invited@example.org', { data: { team: 'red' } })
    const invited = await verify('invite', await world.mail.next('invited@example.org'))
    assert.equal(invited.error, null)
    assert.equal(invited.data.user.user_metadata.team, 'red')
  })

  test('mailed code signs up unless sign-up is disabled', async () => {
    const email = 'otp@example.org'
    const unwanted = await auth().signInWithOtp({ email, options: { shouldCreateUser: false } })
    assert.deepEqual(errorFields(unwanted.error), { status: 422, code: 'otp_disabled', message: 'Signups not allowed for otp' })
    assert.equal((await auth().signInWithOtp({ email, options: { data: { name: 'O' } } })).error, null)
    const { data, error } = await auth().verifyOtp({ email, token: codeOf(await world.mail.next(email)), type: 'email' })
    assert.equal(error, null)
    assert.equal(data.user.user_metadata.name, 'O')
  })

  test('an expired code is refused', async () => {
    const email = 'late@example.org'
    await world.person(email)
    await auth().resetPasswordForEmail(email)
    const mail = await world.mail.next(email)
    await asOwner(world.server, `update auth.users set recovery_sent_at = now() - interval '25 hours' where email = '${email}'`)
    const late = await auth().verifyOtp({ email, token: codeOf(mail), type: 'recovery' })
    assert.equal(late.error.code, 'otp_expired')
    const { fragment } = await follow(linkOf(mail))
    assert.equal(fragment.get('error_code'), 'otp_expired')
    assert.equal(fragment.get('error_description'), 'Email link is invalid or has expired')
  })

  test('recovery does not reveal an unknown address', async () => {
    const { data, error } = await auth().resetPasswordForEmail('nobody@example.org')
    assert.equal(error, null)
    assert.deepEqual(data, {})
    assert.equal(world.mail.to('nobody@example.org').length, 0)
  })

  test('foreign redirect falls back to the site URL', async () => {
    const email = 'elsewhere@example.org'
    await world.person(email)
    await auth().resetPasswordForEmail(email, { redirectTo: 'https://evil.test/reset' })
    const { place } = await follow(linkOf(await world.mail.next(email)))
    assert.equal(place.origin, SITE)
  })

  test('password change in an old session needs reauthentication', async () => {
    const email = 'nonce@example.org'
    const { auth: person, user } = await world.person(email)
    await asOwner(world.server, `update auth.sessions set created_at = now() - interval '25 hours' where user_id = '${user.id}'`)
    const without = await person.updateUser({ password: 'another one' })
    assert.equal(without.error.code, 'reauthentication_needed')
    assert.equal((await person.reauthenticate()).error, null)
    const mail = await world.mail.next(email)
    const nonce = codeOf(mail)
    assert.equal(mail.subject, `${nonce} is your verification code`)
    const wrong = await person.updateUser({ password: 'another one', nonce: '000000' })
    assert.deepEqual(errorFields(wrong.error), {
      status: 422,
      code: 'reauthentication_not_valid',
      message: 'Nonce has expired or is invalid',
    })
    assert.equal((await person.updateUser({ password: 'another one', nonce })).error, null)
  })

  test('mails speak the language of the account', async () => {
    const subjects = { fr: 'Confirmez votre adresse e-mail', es: 'Confirma tu correo electrónico', en: 'Confirm your email address' }
    for (const [lang, subject] of Object.entries(subjects)) {
      const email = `${lang}@example.org`
      await auth().signUp({ email, password: PASSWORD, options: { data: { lang } } })
      assert.equal((await world.mail.next(email)).subject, subject)
    }
  })
})

describe('by telephone', () => {
  test('test phone number signs in by its code', async () => {
    const phone = '+15550100'
    const { data, error } = await auth().signUp({ phone, password: PASSWORD })
    assert.equal(error, null)
    assert.equal(data.session, null)
    assert.equal(data.user.phone, '15550100')
    const early = await auth().signInWithPassword({ phone, password: PASSWORD })
    assert.equal(early.error.code, 'phone_not_confirmed')
    const wrong = await auth().verifyOtp({ phone, token: '000000', type: 'sms' })
    assert.equal(wrong.error.code, 'otp_expired')
    const { data: entered } = await auth().verifyOtp({ phone, token: '123456', type: 'sms' })
    assert.equal(entered.user.phone_confirmed_at !== undefined, true)
    const { data: sent } = await auth().signInWithOtp({ phone })
    assert.equal(sent.messageId, 'test-otp')
    assert.equal((await auth().resend({ phone, type: 'sms' })).error, null)
    assert.equal((await auth().verifyOtp({ phone, token: '123456', type: 'sms' })).error, null)
    assert.equal((await auth().signInWithPassword({ phone, password: PASSWORD })).error, null)
  })

  test('added phone number is confirmed by code', async () => {
    const { auth: person } = await world.person('number@example.org')
    const update = await person.updateUser({ phone: '+15550101' })
    assert.equal(update.error, null)
    assert.equal(update.data.user.new_phone, '15550101')
    const { data, error } = await person.verifyOtp({ phone: '+15550101', token: '654321', type: 'phone_change' })
    assert.equal(error, null)
    assert.equal(data.user.phone, '15550101')
    assert.deepEqual(data.user.identities.map(({ provider }) => provider).sort(), ['email', 'phone'])
  })
})
