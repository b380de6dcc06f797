// Accounts, sessions and what people may change, through auth-js as published.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PASSWORD, SITE, follow, memory, startAuth, errorFields } from '../support/auth.mjs'
import { asOwner } from '../support/database.mjs'
import { codeOf, linkOf } from '../support/smtp.mjs'

let world
const auth = () => world.client().auth

before(async () => {
  world = await startAuth({
    env: {
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
      GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '0',
    },
  })
})
after(() => world?.stop())

describe('signing up', () => {
  test('gives no session until confirmation', async () => {
    const email = 'ada@example.org'
    const { data, error } = await auth().signUp({
      email: 'Ada@Example.org',
      password: PASSWORD,
      options: { data: { name: 'Ada' }, emailRedirectTo: `${SITE}/welcome` },
    })
    assert.equal(error, null)
    assert.equal(data.session, null)
    assert.equal(data.user.email, email)
    assert.equal(data.user.identities.length, 1)
    assert.ok(data.user.confirmation_sent_at)
    const early = await auth().signInWithPassword({ email, password: PASSWORD })
    assert.deepEqual(errorFields(early.error), { status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' })

    const mail = await world.mail.next(email)
    assert.equal(mail.subject, 'Confirm your email address')
    assert.deepEqual(mail.from, [{ address: 'admin@site.test', name: 'The site' }])
    const { place, fragment } = await follow(linkOf(mail))
    assert.equal(`${place.origin}${place.pathname}`, `${SITE}/welcome`)
    assert.equal(fragment.get('type'), 'signup')
    assert.equal(fragment.get('token_type'), 'bearer')
    const person = auth()
    const { data: set } = await person.setSession({
      access_token: fragment.get('access_token'),
      refresh_token: fragment.get('refresh_token'),
    })
    assert.equal(set.user.email, email)
    assert.equal(set.user.user_metadata.name, 'Ada')
    assert.equal(set.user.user_metadata.email_verified, true)
    assert.equal((await auth().signInWithPassword({ email, password: PASSWORD })).error, null)

    const again = await follow(linkOf(mail))
    assert.equal(again.fragment.get('error'), 'access_denied')
    assert.equal(again.fragment.get('error_code'), 'otp_expired')
  })

  test('taken address returns a fictitious user', async () => {
    await world.person('grace@example.org')
    const { data, error } = await auth().signUp({ email: 'grace@example.org', password: 'another password' })
    assert.equal(error, null)
    assert.deepEqual(data.user.identities, [])
    assert.equal(world.mail.to('grace@example.org').length, 0)
  })

  test('weak passwords and invalid addresses have their codes', async () => {
    const weak = await auth().signUp({ email: 'weak@example.org', password: '123' })
    assert.deepEqual(errorFields(weak.error), {
      status: 422,
      code: 'weak_password',
      message: 'Password should be at least 6 characters.',
    })
    assert.deepEqual(weak.error.reasons, ['length'])
    const bad = await auth().signUp({ email: 'nobody', password: PASSWORD })
    assert.deepEqual(errorFields(bad.error), {
      status: 400,
      code: 'validation_failed',
      message: 'Unable to validate email address: invalid format',
    })
    const phone = await auth().signUp({ phone: '+15550100', password: PASSWORD })
    assert.equal(phone.error.code, 'phone_provider_disabled')
  })

  test('mailed code confirms the sign-up once', async () => {
    const email = 'code@example.org'
    await auth().signUp({ email, password: PASSWORD })
    const token = codeOf(await world.mail.next(email))
    const wrong = await auth().verifyOtp({ email, token: '000000', type: 'signup' })
    assert.deepEqual(errorFields(wrong.error), { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' })
    const { data, error } = await auth().verifyOtp({ email, token, type: 'signup' })
    assert.equal(error, null)
    assert.equal(data.session.user.email, email)
    assert.equal((await auth().verifyOtp({ email, token, type: 'signup' })).error.code, 'otp_expired')
  })

  test('resend mails a new code', async () => {
    const email = 'resend@example.org'
    await auth().signUp({ email, password: PASSWORD })
    const first = await world.mail.next(email)
    const { data, error } = await auth().resend({ email, type: 'signup' })
    assert.equal(error, null)
    assert.deepEqual(data, { user: null, session: null })
    const second = await world.mail.next(email, { after: first })
    assert.notEqual(codeOf(second), codeOf(first))
    assert.equal((await auth().verifyOtp({ email, token: codeOf(second), type: 'email' })).error, null)
    assert.equal((await auth().resend({ email: 'unknown@example.org', type: 'signup' })).error, null)
  })

  test('failing trigger rolls back the account', async () => {
    await asOwner(world.server, `
      create function public.refuse() returns trigger language plpgsql as
        $$ begin if new.email like 'refused%' then raise exception 'no room for %', new.email; end if; return new; end $$;
      create trigger refuse before insert on auth.users for each row execute function public.refuse();`)
    const email = 'refused@example.org'
    assert.equal((await auth().signUp({ email, password: PASSWORD })).error.status, 500)
    // The client hides the message of a failure that it may retry.
    const refused = await fetch(`${world.server.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    assert.deepEqual([refused.status, await refused.json()], [
      500,
      { code: 'unexpected_failure', message: 'Database error saving new user' },
    ])
    assert.deepEqual(await asOwner(world.server, "select 1 from auth.users where email like 'refused%'"), [])
    assert.match(world.server.log(), /no room for/)
  })
})

describe('without an address', () => {
  test('an anonymous person becomes a permanent one', async () => {
    const person = auth()
    const { data, error } = await person.signInAnonymously({ options: { data: { colour: 'red' } } })
    assert.equal(error, null)
    assert.equal(data.user.is_anonymous, true)
    assert.equal(data.user.email, '')
    assert.deepEqual(data.user.app_metadata, {})
    const early = await person.updateUser({ password: PASSWORD })
    assert.equal(early.error.code, 'validation_failed')
    const email = 'named@example.org'
    const update = await person.updateUser({ email })
    assert.equal(update.error, null)
    assert.equal(update.data.user.new_email, email)
    const token = codeOf(await world.mail.next(email))
    const verified = await person.verifyOtp({ email, token, type: 'email_change' })
    assert.equal(verified.error, null)
    assert.equal(verified.data.user.id, data.user.id)
    assert.equal(verified.data.user.is_anonymous, false)
    assert.deepEqual(verified.data.user.app_metadata.providers, ['email'])
    assert.equal((await person.updateUser({ password: PASSWORD })).error, null)
    assert.equal((await auth().signInWithPassword({ email, password: PASSWORD })).data.user.id, data.user.id)
  })

  test('two anonymous sign-ins make two accounts', async () => {
    const [one, two] = await Promise.all([auth().signInAnonymously(), auth().signInAnonymously()])
    assert.notEqual(one.data.user.id, two.data.user.id)
  })
})

describe('sessions', () => {
  test('wrong password and unknown address are answered alike', async () => {
    await world.person('known@example.org')
    const wrong = await auth().signInWithPassword({ email: 'known@example.org', password: 'wrong one' })
    const unknown = await auth().signInWithPassword({ email: 'nobody@example.org', password: 'wrong one' })
    assert.deepEqual(errorFields(wrong.error), { status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' })
    assert.deepEqual(errorFields(unknown.error), errorFields(wrong.error))
  })

  test('parallel refreshes of one token all succeed', async () => {
    const { session } = await world.person('parallel@example.org')
    const refresh = () => auth().refreshSession({ refresh_token: session.refresh_token })
    const answers = await Promise.all(Array.from({ length: 8 }, refresh))
    assert.deepEqual(answers.map(({ error }) => errorFields(error)), Array(8).fill(null))
    const tokens = new Set(answers.map(({ data }) => data.session.refresh_token))
    assert.equal(tokens.size, 1)
    assert.equal((await auth().getUser(answers[7].data.session.access_token)).error, null)
  })

  test('a reused refresh token ends the session', async () => {
    const { session } = await world.person('theft@example.org')
    const refresh = (refresh_token) => auth().refreshSession({ refresh_token })
    const second = (await refresh(session.refresh_token)).data.session
    const third = (await refresh(second.refresh_token)).data.session
    const stolen = await refresh(session.refresh_token)
    assert.deepEqual(errorFields(stolen.error), {
      status: 400,
      code: 'refresh_token_already_used',
      message: 'Invalid Refresh Token: Already Used',
    })
    assert.equal((await refresh(third.refresh_token)).error.code, 'refresh_token_already_used')
  })

  test('unknown and malformed refresh tokens have different errors', async () => {
    const unknown = await auth().refreshSession({ refresh_token: 'abcdefghijkl' })
    assert.deepEqual(errorFields(unknown.error), {
      status: 400,
      code: 'refresh_token_not_found',
      message: 'Invalid Refresh Token: Refresh Token Not Found',
    })
    const malformed = await auth().refreshSession({ refresh_token: 'short' })
    assert.equal(malformed.error.code, 'validation_failed')
  })

  test('sign-out ends sessions by scope', async () => {
    const email = 'scopes@example.org'
    const first = await world.person(email)
    const enter = async () => {
      const person = auth()
      const { data } = await person.signInWithPassword({ email, password: PASSWORD })
      return { auth: person, token: data.session.access_token }
    }
    const alive = async ({ token, session }) => !(await auth().getUser(token ?? session.access_token)).error
    const second = await enter()
    const third = await enter()
    assert.equal((await second.auth.signOut({ scope: 'local' })).error, null)
    assert.deepEqual(await Promise.all([first, second, third].map(alive)), [true, false, true])
    assert.equal((await third.auth.signOut({ scope: 'others' })).error, null)
    assert.deepEqual(await Promise.all([first, third].map(alive)), [false, true])
    const fourth = await enter()
    assert.equal((await fourth.auth.signOut()).error, null)
    assert.deepEqual(await Promise.all([third, fourth].map(alive)), [false, false])
    const lookup = await auth().getUser(fourth.token)
    assert.equal(lookup.error.name, 'AuthSessionMissingError')
  })

  test('an expiring session is renewed and stored automatically', async () => {
    const { session } = await world.person('keeper@example.org')
    const storage = memory()
    const keep = (patch) => storage.setItem('kept', JSON.stringify({ ...session, ...patch }))
    const open = () => world.client({ persistSession: true, storage, storageKey: 'kept' }).auth
    keep({ expires_at: Math.floor(Date.now() / 1000) + 20 })
    const first = open()
    assert.equal((await first.initialize()).error, null)
    const { data } = await first.getSession()
    assert.notEqual(data.session.refresh_token, session.refresh_token)
    assert.equal(JSON.parse(storage.getItem('kept')).refresh_token, data.session.refresh_token)
    await first.dispose()

    keep({ ...data.session, expires_at: Math.floor(Date.now() / 1000) + 95 })
    const second = open()
    await second.initialize()
    const renewed = new Promise((resolve) => {
      second.onAuthStateChange((event, next) => event === 'TOKEN_REFRESHED' && resolve(next))
    })
    // The client renews a session that expires within three of its ticks of 30 seconds.
    keep({ ...data.session, expires_at: Math.floor(Date.now() / 1000) + 60 })
    await second.startAutoRefresh()
    assert.notEqual((await renewed).refresh_token, data.session.refresh_token)
    await second.stopAutoRefresh()
    await second.dispose()
  })

  test('errors are thrown with throwOnError', async () => {
    const thrower = world.client({ throwOnError: true }).auth
    assert.equal(thrower.isThrowOnErrorEnabled(), true)
    const wrong = thrower.signInWithPassword({ email: 'nobody@example.org', password: 'x' })
    await assert.rejects(wrong, (error) => error.code === 'invalid_credentials')
  })

  test('events follow changes of the session', async () => {
    const { user } = await world.person('events@example.org')
    const person = auth()
    const seen = []
    const { data } = person.onAuthStateChange((event, session) => void seen.push([event, session?.user.id]))
    await person.signInWithPassword({ email: 'events@example.org', password: PASSWORD })
    await person.refreshSession()
    await person.updateUser({ data: { a: 1 } })
    await person.signOut()
    assert.deepEqual(seen.filter(([event]) => event !== 'INITIAL_SESSION'), [
      ['SIGNED_IN', user.id],
      ['TOKEN_REFRESHED', user.id],
      ['USER_UPDATED', user.id],
      ['SIGNED_OUT', undefined],
    ])
    data.subscription.unsubscribe()
  })

  test('forged token fails verification by the published keys', async () => {
    const { auth: person, session, user } = await world.person('claims@example.org')
    const { data, error } = await person.getClaims()
    assert.equal(error, null)
    assert.equal(data.header.alg, 'ES256')
    assert.equal(data.claims.sub, user.id)
    assert.equal(data.claims.iss, `${world.server.url}/auth/v1`)
    assert.equal(data.claims.aal, 'aal1')
    assert.deepEqual(data.claims.amr.map(({ method }) => method), ['password'])
    const [head, , signature] = session.access_token.split('.')
    const body = Buffer.from(JSON.stringify({ ...data.claims, role: 'service_role' })).toString('base64url')
    const forged = [head, body, signature].join('.')
    assert.equal((await person.getClaims(forged)).error.message, 'Invalid JWT signature')
    const refused = await auth().getUser(forged)
    assert.equal(refused.error.status, 403)
    assert.match(refused.error.message, /^invalid JWT/)
  })

  test('ban ends access until it is lifted', async () => {
    const { session, user } = await world.person('banned@example.org')
    await world.admin.updateUserById(user.id, { ban_duration: '24h' })
    assert.equal((await auth().getUser(session.access_token)).error.code, 'user_banned')
    const signIn = () => auth().signInWithPassword({ email: 'banned@example.org', password: PASSWORD })
    assert.deepEqual(errorFields((await signIn()).error), { status: 400, code: 'user_banned', message: 'User is banned' })
    const refresh = await auth().refreshSession({ refresh_token: session.refresh_token })
    assert.equal(refresh.error.code, 'user_banned')
    await world.admin.updateUserById(user.id, { ban_duration: 'none' })
    assert.equal((await signIn()).error, null)
  })
})

describe('changing the own account', () => {
  test('metadata merges, and null removes a key', async () => {
    const { auth: person } = await world.person('meta@example.org')
    await person.updateUser({ data: { a: 1, b: { c: 2 } } })
    const { data } = await person.updateUser({ data: { a: null, d: [3] } })
    assert.equal(data.user.user_metadata.a, undefined)
    assert.deepEqual(data.user.user_metadata.b, { c: 2 })
    assert.deepEqual(data.user.user_metadata.d, [3])
    assert.deepEqual((await person.getUser()).data.user.user_metadata, data.user.user_metadata)
  })

  test('new password ends the other sessions', async () => {
    const email = 'password@example.org'
    const { auth: person, session } = await world.person(email)
    const other = auth()
    const { data: otherSession } = await other.signInWithPassword({ email, password: PASSWORD })
    const same = await person.updateUser({ password: PASSWORD })
    assert.deepEqual(errorFields(same.error), {
      status: 422,
      code: 'same_password',
      message: 'New password should be different from the old password.',
    })
    assert.equal((await person.updateUser({ password: 'another one' })).error, null)
    assert.equal((await auth().getUser(session.access_token)).error, null)
    assert.ok((await auth().getUser(otherSession.session.access_token)).error)
    assert.equal((await auth().signInWithPassword({ email, password: PASSWORD })).error.code, 'invalid_credentials')
    assert.equal((await auth().signInWithPassword({ email, password: 'another one' })).error, null)
  })

  test('e-mail change must be confirmed by both addresses', async () => {
    const { auth: person, user } = await world.person('old@example.org')
    const update = await person.updateUser({ email: 'new@example.org' }, { emailRedirectTo: `${SITE}/profile` })
    assert.equal(update.data.user.email, 'old@example.org')
    assert.equal(update.data.user.new_email, 'new@example.org')
    const [toNew, toOld] = await Promise.all([world.mail.next('new@example.org'), world.mail.next('old@example.org')])
    const half = await follow(linkOf(toNew))
    assert.match(half.fragment.get('message'), /^Confirmation link accepted/)
    assert.equal((await world.admin.getUserById(user.id)).data.user.email, 'old@example.org')
    const verified = await auth().verifyOtp({ email: 'old@example.org', token: codeOf(toOld), type: 'email_change' })
    assert.equal(verified.error, null)
    assert.equal(verified.data.user.email, 'new@example.org')
    assert.equal(verified.data.user.new_email, undefined)
    assert.equal(verified.data.user.identities[0].identity_data.email, 'new@example.org')
  })

  test('an address of another account is refused', async () => {
    await world.person('first@example.org')
    const { auth: person } = await world.person('second@example.org')
    const { error } = await person.updateUser({ email: 'first@example.org' })
    assert.deepEqual(errorFields(error), {
      status: 422,
      code: 'email_exists',
      message: 'A user with this email address has already been registered',
    })
  })

  test('account deletes itself by a database function', async () => {
    await asOwner(world.server, `
      create function public.delete_me() returns void language sql security definer set search_path = ''
        as 'delete from auth.users where id = auth.uid()';
      grant execute on function public.delete_me() to authenticated;
      notify pgrst, 'reload schema';`)
    const { person, session } = await world.person('leaver@example.org')
    for (;;) {
      const { error } = await person.rpc('delete_me')
      if (!error) break
      assert.equal(error.code, 'PGRST202')
    }
    assert.equal((await auth().getUser(session.access_token)).error.code, 'user_not_found')
    assert.equal((await person.auth.signOut()).error, null)
  })
})
