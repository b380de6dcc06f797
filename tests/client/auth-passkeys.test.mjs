// Passkeys and security keys: the published client in a real browser, with the browser's own
// virtual authenticator.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { PASSWORD, startAuth } from '../support/auth.mjs'
import { launch } from '../support/browser.mjs'

const LIBRARY = fileURLToPath(new URL('../node_modules/@supabase/supabase-js/dist/umd/supabase.js', import.meta.url))

let browser
let pages
let world

before(async () => {
  pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>Page</title>'))
  await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve))
  world = await startAuth({
    env: {
      GOTRUE_PASSKEY_ENABLED: 'true',
      GOTRUE_WEBAUTHN_RP_ID: 'localhost',
      GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: 'The site',
      GOTRUE_WEBAUTHN_RP_ORIGINS: origin(),
      GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: 'true',
      GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED: 'true',
    },
  })
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await world?.stop()
  await new Promise((resolve) => (pages.close(resolve), pages.closeAllConnections()))
})

const origin = () => `http://localhost:${pages.address().port}`

/** A page with the client and a virtual authenticator that always confirms. */
async function openPage(transport = 'internal') {
  const context = await browser.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(origin())
  await page.addScriptTag({ path: LIBRARY })
  await page.evaluate(
    ([url, key]) => {
      window.auth = window.supabase.createClient(url, key, { auth: { experimental: { passkey: true } } }).auth
    },
    [world.server.url, world.server.keys.ANON_KEY],
  )
  return { page, context, devtools, authenticatorId }
}

const signIn = (page, email) =>
  page.evaluate(([email, password]) => auth.signInWithPassword({ email, password }).then(({ error }) => error?.code), [email, PASSWORD])

describe('a passkey', () => {
  test('is registered, renamed, used and deleted', async () => {
    const email = 'passkey@example.org'
    const { user } = await world.person(email)
    const { page, context } = await openPage()
    assert.equal(await signIn(page, email), undefined)
    const made = await page.evaluate(() => auth.registerPasskey())
    assert.equal(made.error, null)
    const listed = await page.evaluate(() => auth.passkey.list())
    assert.deepEqual(listed.data.map(({ id }) => id), [made.data.id])
    const renamed = await page.evaluate((passkeyId) => auth.passkey.update({ passkeyId, friendlyName: 'Laptop' }), made.data.id)
    assert.equal(renamed.data.friendly_name, 'Laptop')

    await page.evaluate(() => auth.signOut())
    const entered = await page.evaluate(() => auth.signInWithPasskey())
    assert.equal(entered.error, null)
    assert.equal(entered.data.user.id, user.id)
    const claims = await page.evaluate(() => auth.getClaims())
    assert.deepEqual(claims.data.claims.amr.map(({ method }) => method), ['passkey'])
    const used = await page.evaluate(() => auth.passkey.list())
    assert.ok(used.data[0].last_used_at)

    const twice = await page.evaluate(() => auth.registerPasskey())
    assert.ok(twice.error, 'an authenticator makes one passkey for a person')

    const service = world.client({ experimental: { passkey: true } }, world.server.keys.SERVICE_ROLE_KEY).auth.admin
    const seen = await service.passkey.listPasskeys({ userId: user.id })
    assert.deepEqual(seen.data.map(({ friendly_name }) => friendly_name), ['Laptop'])
    const foreign = await service.passkey.deletePasskey({ userId: user.id, passkeyId: crypto.randomUUID() })
    assert.equal(foreign.error.status, 404)
    const deleted = await page.evaluate((passkeyId) => auth.passkey.delete({ passkeyId }), made.data.id)
    assert.equal(deleted.error, null)
    await page.evaluate(() => auth.signOut())
    const refused = await page.evaluate(() => auth.signInWithPasskey().then(({ error }) => error.code))
    assert.equal(refused, 'webauthn_verification_failed')
    await context.close()
  })

  test('answers its challenge only once', async () => {
    await world.person('replay@example.org')
    const { page, context } = await openPage()
    await signIn(page, 'replay@example.org')
    const session = await page.evaluate(async () => {
      const { data } = await auth.passkey.startRegistration()
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.options)
      const credential = (await navigator.credentials.create({ publicKey })).toJSON()
      const verify = (challengeId) => auth.passkey.verifyRegistration({ challengeId, credential })
      const foreign = await verify(crypto.randomUUID())
      const first = await verify(data.challenge_id)
      const again = await verify(data.challenge_id)
      return [foreign, first, again].map(({ error }) => error?.code ?? null)
    })
    assert.deepEqual(session, ['webauthn_challenge_not_found', null, 'webauthn_challenge_not_found'])
    const codes = await page.evaluate(async () => {
      const { data } = await auth.passkey.startAuthentication()
      const options = PublicKeyCredential.parseRequestOptionsFromJSON(data.options)
      const credential = (await navigator.credentials.get({ publicKey: options })).toJSON()
      const verify = (credential) => auth.passkey.verifyAuthentication({ challengeId: data.challenge_id, credential })
      const first = await verify(credential)
      const again = await verify(credential)
      const next = await auth.passkey.startAuthentication()
      const foreign = await auth.passkey.verifyAuthentication({ challengeId: next.data.challenge_id, credential })
      const malformed = await auth.passkey.startAuthentication()
      const broken = await auth.passkey.verifyAuthentication({
        challengeId: malformed.data.challenge_id,
        credential: { ...credential, response: { ...credential.response, signature: 'AAAA' } },
      })
      return [first, again, foreign, broken].map(({ error }) => error?.code ?? null)
    })
    assert.deepEqual(codes, [
      null,
      'webauthn_challenge_not_found',
      'webauthn_verification_failed',
      'webauthn_verification_failed',
    ])
    await context.close()
  })
})

describe('a security key', () => {
  test('is a second factor', async () => {
    const email = 'key@example.org'
    await world.person(email)
    // The client requests a roaming authenticator, not one built into the device.
    const { page, context } = await openPage('usb')
    await signIn(page, email)
    const enrolled = await page.evaluate(() => auth.mfa.webauthn.register({ friendlyName: 'Key' }))
    assert.equal(enrolled.error, null)
    const level = () => page.evaluate(() => auth.mfa.getAuthenticatorAssuranceLevel().then(({ data }) => data))
    assert.equal((await level()).currentLevel, 'aal2')
    await page.evaluate(() => auth.signOut())
    await signIn(page, email)
    assert.deepEqual([(await level()).currentLevel, (await level()).nextLevel], ['aal1', 'aal2'])
    const lifted = await page.evaluate(async () => {
      const { data } = await auth.mfa.listFactors()
      return auth.mfa.webauthn.authenticate({ factorId: data.webauthn[0].id })
    })
    assert.equal(lifted.error, null)
    assert.deepEqual((await level()).currentAuthenticationMethods.map(({ method }) => method), ['mfa/webauthn', 'password'])
    const challenge = await page.evaluate(async () => {
      const { data } = await auth.mfa.listFactors()
      const bare = await auth.mfa.challenge({ factorId: data.webauthn[0].id })
      return [bare.error.status, bare.error.code]
    })
    assert.deepEqual(challenge, [400, 'validation_failed'])
    await context.close()
  })
})
