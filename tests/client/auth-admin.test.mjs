// What an administrator may do, through auth-js as published.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PASSWORD, SITE, follow, startAuth, errorFields } from '../support/auth.mjs'
import { linkOf } from '../support/smtp.mjs'
import { totp } from '../support/totp.mjs'

let world
const auth = () => world.client().auth

before(async () => (world = await startAuth()))
after(() => world?.stop())

describe('accounts', () => {
  test('are created with all fields, without a mail', async () => {
    const { data, error } = await world.admin.createUser({
      email: 'made@example.org',
      password: PASSWORD,
      email_confirm: true,
      phone: '+15550100',
      phone_confirm: true,
      user_metadata: { name: 'Made' },
      app_metadata: { plan: 'gold' },
      role: 'authenticated',
    })
    assert.equal(error, null)
    assert.equal(data.user.email, 'made@example.org')
    assert.equal(data.user.phone, '15550100')
    assert.deepEqual(data.user.user_metadata, { name: 'Made', email_verified: true, phone_verified: true })
    assert.deepEqual(data.user.app_metadata, { plan: 'gold', provider: 'email', providers: ['email', 'phone'] })
    assert.equal(world.mail.to('made@example.org').length, 0)
    const { data: found } = await world.admin.getUserById(data.user.id)
    assert.deepEqual(found.user, data.user)
    const twice = await world.admin.createUser({ email: 'made@example.org', password: PASSWORD })
    assert.equal(twice.error.code, 'email_exists')
    const withoutAddress = await world.admin.createUser({ password: PASSWORD })
    assert.equal(withoutAddress.error.message, 'Cannot create a user without either an email or phone')
  })

  test('accept an existing id and password hash', async () => {
    const id = '0f2d0b7c-5d3c-4f63-9a1e-5b8a3f8b6c11'
    // bcrypt of "correct horse battery", cost 4.
    const { data, error } = await world.admin.createUser({
      id,
      email: 'imported@example.org',
      email_confirm: true,
      password_hash: '$2b$04$9C1Ffmmot0nGF6Z3rCBNX.dsOxgvXnVmHF19k.JLVr0SWqxEpJXPG',
    })
    assert.equal(error, null)
    assert.equal(data.user.id, id)
  })

  test('are paginated with next and last page', async () => {
    for (let n = 0; n < 5; n += 1) await world.admin.createUser({ email: `page${n}@example.org` })
    const { data, error } = await world.admin.listUsers({ page: 1, perPage: 2 })
    assert.equal(error, null)
    assert.equal(data.users.length, 2)
    assert.equal(data.nextPage, 2)
    assert.ok(data.total >= 5)
    assert.equal(data.lastPage, Math.ceil(data.total / 2))
    assert.equal(data.aud, 'authenticated')
    const all = await world.admin.listUsers({ perPage: 1000 })
    assert.equal(all.data.users.length, data.total)
  })

  test('change by id, and so do their passwords', async () => {
    const { user, session } = await world.person('changed@example.org')
    const { data, error } = await world.admin.updateUserById(user.id, {
      email: 'renamed@example.org',
      password: 'another one',
      user_metadata: { a: 1 },
      app_metadata: { role: 'editor' },
    })
    assert.equal(error, null)
    assert.equal(data.user.email, 'renamed@example.org')
    assert.equal(data.user.user_metadata.a, 1)
    assert.equal(data.user.app_metadata.role, 'editor')
    assert.ok((await auth().getUser(session.access_token)).error)
    assert.equal((await auth().signInWithPassword({ email: 'renamed@example.org', password: 'another one' })).error, null)
  })

  test('are deleted, wholly or softly', async () => {
    const complete = await world.person('gone@example.org')
    assert.equal((await world.admin.deleteUser(complete.user.id)).error, null)
    const missing = await world.admin.getUserById(complete.user.id)
    assert.deepEqual(errorFields(missing.error), { status: 404, code: 'user_not_found', message: 'User not found' })
    const soft = await world.person('soft@example.org')
    assert.equal((await world.admin.deleteUser(soft.user.id, true)).error, null)
    const { data } = await world.admin.getUserById(soft.user.id)
    assert.ok(data.user.deleted_at)
    assert.notEqual(data.user.email, 'soft@example.org')
    assert.equal((await auth().signInWithPassword({ email: 'soft@example.org', password: PASSWORD })).error.code, 'invalid_credentials')
  })

  test('are invited by mail', async () => {
    const { data, error } = await world.admin.inviteUserByEmail('guest@example.org', { data: { team: 'red' }, redirectTo: `${SITE}/join` })
    assert.equal(error, null)
    assert.ok(data.user.invited_at)
    const mail = await world.mail.next('guest@example.org')
    assert.equal(mail.subject, "You've been invited")
    const { place, fragment } = await follow(linkOf(mail))
    assert.equal(place.pathname, '/join')
    assert.equal(fragment.get('type'), 'invite')
    const twice = await world.admin.inviteUserByEmail('guest@example.org')
    assert.equal(twice.error.code, 'email_exists')
  })

  test('are signed out by their token', async () => {
    const { session } = await world.person('out@example.org')
    assert.equal((await world.admin.signOut(session.access_token)).error, null)
    assert.ok((await auth().getUser(session.access_token)).error)
  })
})

describe('links', () => {
  test('of every type are generated without a mail', async () => {
    await world.person('links@example.org')
    const options = { redirectTo: `${SITE}/here` }
    const updates = [
      { type: 'signup', email: 'link-signup@example.org', password: PASSWORD, options: { ...options, data: { a: 1 } } },
      { type: 'invite', email: 'link-invite@example.org', options },
      { type: 'magiclink', email: 'links@example.org', options },
      { type: 'recovery', email: 'links@example.org', options },
    ]
    for (const params of updates) {
      const { data, error } = await world.admin.generateLink(params)
      assert.equal(error, null, params.type)
      assert.equal(data.user.email, params.email)
      assert.equal(data.properties.verification_type, params.type)
      assert.equal(data.properties.redirect_to, options.redirectTo)
      const { place, fragment } = await follow(data.properties.action_link)
      assert.equal(place.pathname, '/here')
      assert.equal(fragment.get('type'), params.type)
      assert.equal(world.mail.to(params.email).length, 0)
    }
    const { data } = await world.admin.generateLink({ type: 'recovery', email: 'links@example.org' })
    const byHash = await auth().verifyOtp({ type: 'recovery', token_hash: data.properties.hashed_token })
    assert.equal(byHash.error, null)
    const unknown = await world.admin.generateLink({ type: 'recovery', email: 'nobody@example.org' })
    assert.equal(unknown.error.code, 'user_not_found')
  })

  test('of an e-mail change go to both addresses', async () => {
    const { user } = await world.person('side-one@example.org')
    const change = { email: 'side-one@example.org', newEmail: 'side-two@example.org' }
    const current = await world.admin.generateLink({ type: 'email_change_current', ...change })
    const next = await world.admin.generateLink({ type: 'email_change_new', ...change })
    assert.equal(current.error, null)
    assert.equal(next.error, null)
    await follow(current.data.properties.action_link)
    await follow(next.data.properties.action_link)
    assert.equal((await world.admin.getUserById(user.id)).data.user.email, 'side-two@example.org')
  })
})

describe('factors', () => {
  test('are listed and removed by an administrator', async () => {
    const { auth: person, user } = await world.person('factors@example.org')
    const { data } = await person.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })
    await person.mfa.challengeAndVerify({ factorId: data.id, code: totp(data.totp.secret) })
    const listed = await world.admin.mfa.listFactors({ userId: user.id })
    assert.deepEqual(listed.data.factors.map(({ id, status, factor_type }) => ({ id, status, factor_type })), [
      { id: data.id, status: 'verified', factor_type: 'totp' },
    ])
    assert.equal((await world.admin.mfa.deleteFactor({ userId: user.id, id: data.id })).error, null)
    assert.deepEqual((await world.admin.mfa.listFactors({ userId: user.id })).data.factors, [])
    await person.refreshSession()
    assert.equal((await person.mfa.getAuthenticatorAssuranceLevel()).data.currentLevel, 'aal1')
  })
})

test('an ordinary account cannot use the administration', async () => {
  const { person } = await world.person('plain@example.org')
  const refused = { status: 403, code: 'not_admin', message: 'User not allowed' }
  assert.deepEqual(errorFields((await person.auth.admin.listUsers()).error), refused)
  assert.deepEqual(errorFields((await world.client().auth.admin.listUsers()).error), refused)
})
