// Signing in with, and linking, a real OpenID provider, through auth-js as published.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'

import { PASSWORD, SITE, follow, memory, startAuth, errorFields } from '../support/auth.mjs'
import { startOidcProvider } from '../support/oidc.mjs'

let world
let provider
const auth = () => world.client().auth

before(async () => {
  provider = await startOidcProvider({ people: { unverified: { email_verified: false } } })
  world = await startAuth({
    env: {
      COMPAT_OIDC_PROVIDERS: 'custom:corp',
      GOTRUE_EXTERNAL_CUSTOM_CORP_ENABLED: 'true',
      GOTRUE_EXTERNAL_CUSTOM_CORP_CLIENT_ID: provider.clientId,
      GOTRUE_EXTERNAL_CUSTOM_CORP_SECRET: provider.clientSecret,
      GOTRUE_EXTERNAL_CUSTOM_CORP_URL: provider.issuer,
      GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: 'true',
      GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: provider.clientId,
      GOTRUE_EXTERNAL_KEYCLOAK_SECRET: provider.clientSecret,
      GOTRUE_EXTERNAL_KEYCLOAK_URL: provider.issuer,
      GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
      OUTGOING_ALLOWED_HOSTS: '127.0.0.1,localhost',
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    },
  })
})
after(async () => {
  await world?.stop()
  await provider?.stop()
})

const NAME = 'custom:corp'

/** Follows the client's address through the provider's login to the end of the service's callback. */
async function through(url, login) {
  return follow(await provider.signIn(url, login))
}

describe('signing in', () => {
  test('without PKCE returns a session in the fragment', async () => {
    const { data } = await auth().signInWithOAuth({ provider: NAME, options: { redirectTo: `${SITE}/in`, scopes: 'profile' } })
    const { place, fragment } = await through(data.url, 'ada')
    assert.equal(`${place.origin}${place.pathname}`, `${SITE}/in`)
    assert.ok(fragment.get('provider_token'))
    const { data: found } = await auth().getUser(fragment.get('access_token'))
    assert.equal(found.user.email, 'ada@provider.test')
    assert.deepEqual(found.user.app_metadata, { provider: NAME, providers: [NAME] })
    assert.equal(found.user.user_metadata.name, 'ada')
    assert.equal(found.user.identities[0].identity_data.sub, 'ada')
    const again = await through(data.url.replace('profile', 'email'), 'ada')
    const { data: same } = await auth().getUser(again.fragment.get('access_token'))
    assert.equal(same.user.id, found.user.id)
  })

  test('with a proof key ends in a code', async () => {
    const person = world.pkceClient().auth
    const { data } = await person.signInWithOAuth({ provider: NAME, options: { redirectTo: SITE } })
    const { query } = await through(data.url, 'grace')
    const { data: entered, error } = await person.exchangeCodeForSession(query.get('code'))
    assert.equal(error, null)
    assert.equal(entered.user.email, 'grace@provider.test')
    assert.ok(entered.session.provider_token)
    assert.deepEqual((await person.getClaims()).data.claims.amr.map(({ method }) => method), ['oauth'])
  })

  test('verified address is linked to the existing account', async () => {
    const { user } = await world.person('joined@provider.test')
    const { data } = await auth().signInWithOAuth({ provider: NAME, options: { redirectTo: SITE } })
    const { fragment } = await through(data.url, 'joined')
    const { data: found } = await auth().getUser(fragment.get('access_token'))
    assert.equal(found.user.id, user.id)
    assert.deepEqual(found.user.app_metadata.providers, ['email', NAME])
  })

  test('unverified provider address must be confirmed by mail', async () => {
    const { data } = await auth().signInWithOAuth({ provider: NAME, options: { redirectTo: SITE } })
    const { query } = await through(data.url, 'unverified')
    assert.equal(query.get('error_code'), 'provider_email_needs_verification')
    assert.ok(await world.mail.next('unverified@provider.test'))
  })

  test('unknown callback state redirects with an error', async () => {
    const { place, query } = await follow(`${world.server.url}/auth/v1/callback?code=x&state=${crypto.randomUUID()}`)
    assert.equal(place.origin, SITE)
    assert.equal(query.get('error_code'), 'bad_oauth_state')
    const twice = await auth().signInWithOAuth({ provider: NAME, options: { redirectTo: SITE } })
    const back = await provider.signIn(twice.data.url, 'ada')
    await follow(back)
    assert.ok((await follow(back)).query.get('error_code'))
  })

  test('an unknown provider is refused', async () => {
    const answer = await fetch(`${world.server.url}/auth/v1/authorize?provider=nobody`, { redirect: 'manual' })
    assert.equal(answer.status, 400)
    assert.match((await answer.json()).msg, /^Unsupported provider: /)
  })
})

describe('an ID token', () => {
  /** The provider's own ID token, requested by another application of the same client. */
  async function idToken(login, nonce) {
    const url = new URL(`${provider.issuer}/auth`)
    const hashed = nonce && createHash('sha256').update(nonce).digest('hex')
    for (const [name, value] of Object.entries({
      client_id: provider.clientId,
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: 'http://localhost/app',
      ...(hashed && { nonce: hashed }),
    }))
      url.searchParams.set(name, value)
    const back = await provider.signIn(url, login)
    const answer = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.searchParams.get('code'),
        redirect_uri: 'http://localhost/app',
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
      }),
    })
    return (await answer.json()).id_token
  }

  test('signs in with its nonce, and not without', async () => {
    const token = await idToken('token', 'a nonce')
    const missing = await auth().signInWithIdToken({ provider: NAME, token })
    assert.equal(missing.error.status, 400)
    const wrong = await auth().signInWithIdToken({ provider: NAME, token, nonce: 'another' })
    assert.equal(wrong.error.message, 'Nonces mismatch')
    const { data, error } = await auth().signInWithIdToken({ provider: NAME, token, nonce: 'a nonce' })
    assert.equal(error, null)
    assert.equal(data.user.email, 'token@provider.test')
  })

  test('that was tampered with is refused', async () => {
    const [head, body] = (await idToken('token')).split('.')
    const { error } = await auth().signInWithIdToken({ provider: NAME, token: `${head}.${body}.AAAA` })
    assert.equal(error.status, 400)
    assert.equal(error.message, 'Bad ID token')
  })

  test('is linked to the signed-in account', async () => {
    const { auth: person } = await world.person('holder@example.org')
    const { data, error } = await person.linkIdentity({ provider: NAME, token: await idToken('held') })
    assert.equal(error, null)
    assert.deepEqual(data.user.identities.map((identity) => identity.provider).sort(), [NAME, 'email'])
  })
})

describe('linking', () => {
  test('adds and removes all but the last identity', async () => {
    const storage = memory()
    const person = world.client({ flowType: 'pkce', persistSession: true, storage }).auth
    await world.person('linker@example.org')
    await person.signInWithPassword({ email: 'linker@example.org', password: PASSWORD })
    const { data, error } = await person.linkIdentity({ provider: NAME, options: { redirectTo: `${SITE}/profile` } })
    assert.equal(error, null)
    const { query } = await through(data.url, 'linked')
    assert.equal((await person.exchangeCodeForSession(query.get('code'))).error, null)
    const { data: had } = await person.getUserIdentities()
    assert.deepEqual(had.identities.map((identity) => identity.provider).sort(), [NAME, 'email'])
    const added = had.identities.find((identity) => identity.provider === NAME)
    assert.equal((await person.unlinkIdentity(added)).error, null)
    const { data: left } = await person.getUserIdentities()
    assert.deepEqual(left.identities.map((identity) => identity.provider), ['email'])
    const last = await person.unlinkIdentity(left.identities[0])
    assert.deepEqual(errorFields(last.error), {
      status: 422,
      code: 'single_identity_not_deletable',
      message: 'User must have at least 1 identity after unlinking',
    })
  })

  test('refuses an identity of another account', async () => {
    const { data: first } = await auth().signInWithOAuth({ provider: NAME, options: { redirectTo: SITE } })
    await through(first.url, 'theirs')
    const { auth: person } = await world.person('greedy@example.org')
    const { data } = await person.linkIdentity({ provider: NAME, options: { redirectTo: SITE } })
    const { query } = await through(data.url, 'theirs')
    assert.equal(query.get('error_code'), 'identity_already_exists')
  })

  test('makes an anonymous person a permanent one', async () => {
    const person = auth()
    const { data: before } = await person.signInAnonymously()
    const { data } = await person.linkIdentity({ provider: NAME, options: { redirectTo: SITE } })
    await through(data.url, 'was-anonymous')
    const { data: after } = await person.getUser()
    assert.equal(after.user.id, before.user.id)
    assert.equal(after.user.is_anonymous, false)
    assert.equal(after.user.email, 'was-anonymous@provider.test')
  })
})

describe('administered', () => {
  test('providers are made, used, changed and removed', async () => {
    const identifier = 'custom:made'
    const { data, error } = await world.admin.customProviders.createProvider({
      provider_type: 'oidc',
      identifier,
      name: 'Made',
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      issuer: provider.issuer,
      scopes: ['profile'],
    })
    assert.equal(error, null)
    assert.equal(data.identifier, identifier)
    assert.equal(data.enabled, true)
    assert.equal(data.client_secret, undefined)
    assert.equal(data.discovery_document.issuer, provider.issuer)
    const twice = await world.admin.customProviders.createProvider({
      provider_type: 'oidc', identifier, name: 'Made', client_id: 'x', client_secret: 'y', issuer: provider.issuer,
    })
    assert.ok(twice.error)
    assert.deepEqual((await world.admin.customProviders.listProviders()).data.providers.map((one) => one.identifier), [identifier])
    assert.equal((await world.admin.customProviders.getProvider(identifier)).data.name, 'Made')

    const { data: start } = await auth().signInWithOAuth({ provider: identifier, options: { redirectTo: SITE } })
    const { fragment } = await through(start.url, 'by-row')
    assert.equal((await auth().getUser(fragment.get('access_token'))).data.user.app_metadata.provider, identifier)

    const off = await world.admin.customProviders.updateProvider(identifier, { enabled: false, name: 'Off' })
    assert.deepEqual([off.data.enabled, off.data.name], [false, 'Off'])
    const refused = await fetch(start.url, { redirect: 'manual' })
    assert.equal(refused.status, 400)
    assert.equal((await world.admin.customProviders.deleteProvider(identifier)).error, null)
    const lookup = await world.admin.customProviders.getProvider(identifier)
    assert.deepEqual([lookup.error.status, lookup.error.code], [404, 'custom_provider_not_found'])
  })

  test('a provider without a discovery document is refused', async () => {
    const { error } = await world.admin.customProviders.createProvider({
      provider_type: 'oidc', identifier: 'custom:nowhere', name: 'Nowhere', client_id: 'x', client_secret: 'y',
      issuer: `${provider.issuer}/nowhere`,
    })
    assert.deepEqual([error.status, error.code], [400, 'validation_failed'])
  })
})

test('disabled methods answer that they are disabled', async () => {
  const sso = await auth().signInWithSSO({ domain: 'example.org' })
  assert.deepEqual(errorFields(sso.error), { status: 404, code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' })
  const web3 = await auth().signInWithWeb3({ chain: 'solana', message: 'm', signature: new Uint8Array(64) })
  assert.deepEqual(errorFields(web3.error), { status: 422, code: 'web3_provider_disabled', message: 'Web3 provider is disabled' })
})
