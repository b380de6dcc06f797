// auth/v1 as an OAuth provider for other applications, through auth-js as published.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'

import { SITE, startAuth } from '../support/auth.mjs'

const REDIRECT = 'https://app.test/callback'

let world
let application

before(async () => {
  world = await startAuth({ env: { GOTRUE_OAUTH_SERVER_ENABLED: 'true', GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true' } })
  const { data, error } = await world.admin.oauth.createClient({
    client_name: 'App',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
  })
  assert.equal(error, null)
  application = data
})
after(() => world?.stop())

/** Acts as the application: sends a browser to the authorization page with a proof key. */
async function leave(scope = 'openid email') {
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(`${world.server.url}/auth/v1/oauth/authorize`)
  url.search = new URLSearchParams({
    client_id: application.client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope,
    state: 'kept',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const answer = await fetch(url, { redirect: 'manual' })
  assert.equal(answer.status, 302)
  const place = new URL(answer.headers.get('location'))
  return { place, verifier, id: place.searchParams.get('authorization_id') }
}

const token = (form) =>
  fetch(`${world.server.url}/auth/v1/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${application.client_id}:${application.client_secret}`)}` },
    body: new URLSearchParams(form),
  })

test('applications are administered', async () => {
  const admin = world.admin.oauth
  const { data: made } = await admin.createClient({ client_name: 'Other', redirect_uris: [REDIRECT] })
  assert.ok(made.client_secret)
  const { data: listed } = await admin.listClients()
  assert.ok(listed.clients.some(({ client_id }) => client_id === made.client_id))
  const { data: found } = await admin.getClient(made.client_id)
  assert.deepEqual([found.client_name, found.client_secret], ['Other', undefined])
  const { data: renamed } = await admin.updateClient(made.client_id, { client_name: 'Renamed' })
  assert.equal(renamed.client_name, 'Renamed')
  const { data: anew } = await admin.regenerateClientSecret(made.client_id)
  assert.notEqual(anew.client_secret, made.client_secret)
  assert.equal((await admin.deleteClient(made.client_id)).error, null)
  const lookup = await admin.getClient(made.client_id)
  assert.deepEqual([lookup.error.status, lookup.error.code], [404, 'oauth_client_not_found'])
})

describe('a person', () => {
  test('approves and revokes an OAuth application', async () => {
    const { auth: person, user } = await world.person('approver@example.org')
    const { place, id, verifier } = await leave()
    assert.equal(place.origin, SITE)
    assert.equal(place.pathname, '/oauth/consent')
    const { data: details, error } = await person.oauth.getAuthorizationDetails(id)
    assert.equal(error, null)
    assert.equal(details.client.name, 'App')
    assert.equal(details.user.email, 'approver@example.org')
    const { data: approved } = await person.oauth.approveAuthorization(id, { skipBrowserRedirect: true })
    const back = new URL(approved.redirect_url)
    assert.equal(`${back.origin}${back.pathname}`, REDIRECT)
    assert.equal(back.searchParams.get('state'), 'kept')
    const code = back.searchParams.get('code')

    const wrong = await token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: 'x'.repeat(50) })
    assert.equal(wrong.status, 400)
    assert.equal((await wrong.json()).error, 'invalid_grant')
    const again = await leave()
    const second = await person.oauth.getAuthorizationDetails(again.id)
    const repeated = new URL(second.data.redirect_url)
    const granted = await token({
      grant_type: 'authorization_code',
      code: repeated.searchParams.get('code'),
      redirect_uri: REDIRECT,
      code_verifier: again.verifier,
    })
    assert.equal(granted.status, 200)
    const session = await granted.json()
    assert.equal(session.token_type, 'bearer')
    const claims = JSON.parse(Buffer.from(session.access_token.split('.')[1], 'base64url'))
    assert.deepEqual([claims.sub, claims.client_id], [user.id, application.client_id])
    assert.ok(session.id_token)
    const info = await fetch(`${world.server.url}/auth/v1/oauth/userinfo`, {
      headers: { authorization: `Bearer ${session.access_token}` },
    })
    assert.equal((await info.json()).email, 'approver@example.org')
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: session.refresh_token })
    assert.equal(refreshed.status, 200)
    assert.ok(verifier)

    const { data: grants } = await person.oauth.listGrants()
    assert.deepEqual(grants.map(({ client }) => client.id), [application.client_id])
    assert.equal((await person.oauth.revokeGrant({ clientId: application.client_id })).error, null)
    assert.deepEqual((await person.oauth.listGrants()).data, [])
    const dead = await world.client().auth.getUser((await refreshed.json()).access_token)
    assert.ok(dead.error)
  })

  test('denies an application', async () => {
    const { auth: person } = await world.person('denier@example.org')
    const { id } = await leave()
    await person.oauth.getAuthorizationDetails(id)
    const { data } = await person.oauth.denyAuthorization(id, { skipBrowserRedirect: true })
    const back = new URL(data.redirect_url)
    assert.equal(back.searchParams.get('error'), 'access_denied')
    const unknown = await person.oauth.getAuthorizationDetails(crypto.randomUUID())
    assert.deepEqual([unknown.error.status, unknown.error.code], [404, 'oauth_authorization_not_found'])
  })
})

test('the service publishes its metadata', async () => {
  const read = async (path) => (await fetch(`${world.server.url}/auth/v1${path}`)).json()
  const issuer = `${world.server.url}/auth/v1`
  const document = await read('/.well-known/openid-configuration')
  assert.equal(document.issuer, issuer)
  assert.equal(document.registration_endpoint, `${issuer}/oauth/clients/register`)
  assert.deepEqual(await read('/.well-known/oauth-authorization-server'), document)
  const { keys } = await read('/.well-known/jwks.json')
  assert.ok(keys.length > 0 && keys.every((key) => key.d === undefined && key.kty !== 'oct'))
  assert.equal((await read('/health')).name, 'GoTrue')
  assert.equal((await read('/settings')).external.email, true)
})
