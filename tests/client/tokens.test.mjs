// Tokens of other issuers, secrets and key sets by PostgREST's settings, and the rotation of our own
// keys.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { newKey, startIssuer } from '../support/issuer.mjs'
import { binary, keysOf, scratchFolder, startServer } from '../support/server.mjs'

const WHO = `
  create function public.who() returns table (uid uuid, role text) language sql stable
    as 'select auth.uid(), current_user::text';
  notify pgrst, 'reload schema';
`

const base64url = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A compact JWS over any header, signed by the given function. */
function jws(header, claims, signed) {
  const text = `${base64url(header)}.${base64url(claims)}`
  return `${text}.${signed(text).toString('base64url')}`
}

const hmac = (secret, hash = 'sha256') => (text) => createHmac(hash, secret).update(text).digest()

const ecdsa = (jwk) => (text) =>
  sign('sha256', Buffer.from(text), { key: createPrivateKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' })

/** The answer of rest/v1 to a request with this token. */
async function identityOf(server, token) {
  const response = await fetch(`${server.url}/rest/v1/rpc/who`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  return { status: response.status, body: await response.json(), challenge: response.headers.get('www-authenticate') }
}

/** Queries until the server knows the function: the notification arrives asynchronously. */
async function loaded(server) {
  while ((await identityOf(server)).status === 404);
}

describe('tokens of another issuer', () => {
  const [first, second] = [newKey('first'), newKey('second', 'ES256')]
  const scratch = scratchFolder()
  const env = () => ({ COMPAT_JWT_ISSUERS: issuer.name, COMPAT_JWKS_MIN_INTERVAL: '0s', COMPAT_JWKS_REFRESH: '1h' })
  let issuer
  let server

  before(async () => {
    issuer = await startIssuer({ keys: [first] })
    server = await startServer({ name: 'supabase-compat', dataDir: scratch.path, isPrepared: true, env: env() })
    await asOwner(server, WHO)
    await loaded(server)
  })
  after(async () => {
    await server?.stop()
    await issuer?.stop()
    scratch.remove()
  })

  const restart = async (keys) => {
    await issuer.stop()
    issuer = await startIssuer({ keys, port: issuer.port })
  }

  test('are accepted with their role and cached keys', async () => {
    const token = await issuer.token()
    const client = createClient(server.url, server.keys.ANON_KEY, { accessToken: async () => token })
    const { data, error } = await client.rpc('who').single()
    assert.equal(error, null)
    assert.deepEqual(data, { uid: issuer.subject, role: 'authenticated' })
    const before = issuer.requestCount()
    await Promise.all(Array.from({ length: 8 }, async () => assert.equal((await identityOf(server, await issuer.token())).status, 200)))
    assert.equal(issuer.requestCount(), before)
  })

  test('are refused with a foreign signature', async () => {
    const foreignKey = newKey('first', 'ES256')
    const claims = { iss: issuer.name, role: 'service_role' }
    for (const kid of ['first', 'unheard-of', undefined]) {
      const forged = jws({ alg: 'ES256', kid }, claims, ecdsa(foreignKey))
      const answer = await identityOf(server, forged)
      assert.equal(answer.status, 401)
      assert.equal(answer.body.code, 'PGRST301')
    }
    const withAnonKey = jws({ alg: 'HS256' }, claims, hmac(server.keys.ANON_KEY))
    assert.equal((await identityOf(server, withAnonKey)).status, 401)
  })

  test('are refused by auth/v1', async () => {
    const response = await fetch(`${server.url}/auth/v1/user`, { headers: { authorization: `Bearer ${await issuer.token()}` } })
    assert.equal(response.status, 403)
    assert.equal((await response.json()).error_code, 'bad_jwt')
  })

  test('are accepted under each key that is published', async () => {
    const old = await issuer.token()
    await restart([second, first])
    assert.equal((await identityOf(server, await issuer.token())).status, 200)
    assert.equal((await identityOf(server, old)).status, 200)
    await restart([second])
    const unknown = jws({ alg: 'ES256', kid: 'third' }, { iss: issuer.name }, ecdsa(second))
    assert.equal((await identityOf(server, unknown)).status, 401)
    assert.equal((await identityOf(server, old)).status, 401)
    assert.equal((await identityOf(server, await issuer.token())).status, 200)
  })

  test('stay valid while their issuer is unavailable', async () => {
    const token = await issuer.token()
    await issuer.stop()
    const unknown = jws({ alg: 'ES256', kid: 'third' }, { iss: issuer.name }, ecdsa(second))
    assert.equal((await identityOf(server, unknown)).status, 401)
    assert.equal((await identityOf(server, token)).status, 200)
    await server.stop()
    server = await startServer({ name: 'supabase-compat', dataDir: scratch.path, isPrepared: true, env: env() })
    assert.equal((await identityOf(server, token)).status, 200)
    issuer = await startIssuer({ keys: [second], port: issuer.port })
    assert.equal((await identityOf(server, await issuer.token())).status, 200)
  })
})

describe('rest/v1 alone, as PostgREST is set up', () => {
  const secret = 'reallyreallyreallyreallyverysafe'
  const scratch = scratchFolder()
  let owner

  before(async () => {
    owner = await startServer({ name: 'supabase-compat', dataDir: scratch.path, isPrepared: true })
    await asOwner(owner, WHO)
  })
  after(async () => {
    await owner?.stop()
    scratch.remove()
  })

  /** Asks a server of its own with these settings. */
  async function under(env, ask) {
    const database = `postgresql://authenticator@${encodeURIComponent(`${owner.dataDir}/run`)}/postgres`
    const settings = { PGRST_DB_URI: database, PGRST_DB_ANON_ROLE: 'anon', ...env }
    const server = await startServer({ name: 'supabase-compat', args: ['--only', 'rest'], env: settings })
    try {
      await ask((token) => identityOf(server, token))
    } finally {
      await server.stop()
    }
  }

  test('token without configured secret is a server error', async () => {
    await under({}, async (ask) => {
      assert.equal((await ask()).body[0].role, 'anon')
      const answer = await ask('a.b.c')
      assert.equal(answer.status, 500)
      assert.deepEqual(answer.body, { code: 'PGRST300', message: 'Server lacks JWT secret', details: null, hint: null })
    })
  })

  test('base64 secret, role claim and audience settings apply', async () => {
    const file = join(scratch.path, 'secret.b64')
    writeFileSync(file, `${Buffer.from(secret).toString('base64')}\n`)
    const env = {
      PGRST_JWT_SECRET: `@${file}`,
      PGRST_JWT_SECRET_IS_BASE64: 'true',
      PGRST_JWT_ROLE_CLAIM_KEY: '.app.roles[?(@ ^== "auth")]',
      PGRST_JWT_AUD: 'https://api.example',
    }
    await under(env, async (ask) => {
      for (const [alg, hash] of [['HS256', 'sha256'], ['HS384', 'sha384'], ['HS512', 'sha512']]) {
        const claims = { app: { roles: ['x', 'authenticated'] }, aud: ['https://api.example'] }
        const answer = await ask(jws({ alg }, claims, hmac(secret, hash)))
        assert.deepEqual([answer.status, answer.body[0]?.role], [200, 'authenticated'], alg)
      }
      const otherAudience = await ask(jws({ alg: 'HS256' }, { aud: 'https://other.example' }, hmac(secret)))
      assert.equal(otherAudience.body.message, 'JWT not in audience')
      assert.equal(otherAudience.challenge, 'Bearer error="invalid_token", error_description="JWT not in audience"')
    })
  })

  test('a set of public keys verifies tokens', async () => {
    const key = newKey('one', 'ES256')
    const { d: _, ...published } = key
    await under({ PGRST_JWT_SECRET: JSON.stringify({ keys: [published] }) }, async (ask) => {
      const claims = { role: 'authenticated', exp: Math.floor(Date.now() / 1000) + 60 }
      assert.equal((await ask(jws({ alg: 'ES256', kid: 'one' }, claims, ecdsa(key)))).status, 200)
      assert.equal((await ask(jws({ alg: 'ES256' }, claims, ecdsa(key)))).status, 200)
      const other = await ask(jws({ alg: 'ES256', kid: 'two' }, claims, ecdsa(key)))
      assert.deepEqual([other.status, other.body.details], [401, 'No suitable key was found to decode the JWT'])
      const confused = await ask(jws({ alg: 'HS256', kid: 'one' }, claims, hmac(JSON.stringify(published))))
      assert.equal(confused.status, 401)
    })
  })
})

describe('our own signing keys', () => {
  const scratch = scratchFolder()
  const env = { GOTRUE_MAILER_AUTOCONFIRM: 'true' }
  const keys = (...arguments_) =>
    execFileSync(binary('supabase-compat'), ['keys', '--data-dir', scratch.path, ...arguments_], { encoding: 'utf8' })
  const start = () => startServer({ name: 'supabase-compat', dataDir: scratch.path, env })
  const published = async () => {
    const answer = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`)
    return (await answer.json()).keys.map((key) => key.kid)
  }
  const kidOf = (token) => JSON.parse(Buffer.from(token.split('.')[0], 'base64url')).kid
  let server

  before(async () => {
    server = await start()
    await asOwner(server, WHO)
    await loaded(server)
  })
  after(async () => {
    await server?.stop()
    scratch.remove()
  })

  const again = async () => {
    await server.stop()
    server = await start()
  }

  test('are rotated without ending sessions, then revoked', async () => {
    const person = createClient(server.url, server.keys.ANON_KEY)
    const { data } = await person.auth.signUp({ email: 'ada@example.org', password: 'correct horse battery' })
    const old = data.session.access_token
    const anon = server.keys.ANON_KEY

    const standby = keys('--standby').split(' ')[0]
    await again()
    assert.deepEqual((await published()).toSorted(), [standby, kidOf(old)].toSorted())

    keys('--rotate')
    await again()
    const renewed = createClient(server.url, server.keys.SUPABASE_PUBLISHABLE_KEY)
    const { data: next } = await renewed.auth.refreshSession({ refresh_token: data.session.refresh_token })
    assert.equal(kidOf(next.session.access_token), standby)
    assert.equal((await identityOf(server, old)).body[0].uid, data.user.id)
    assert.equal((await identityOf(server, anon)).body[0].role, 'anon')
    assert.equal(keys('--list'), `${standby}  ES256  in_use\n${kidOf(old)}  ES256  previously_used\n`)

    assert.throws(() => keys('--revoke', standby), /is in use/)
    keys('--revoke', kidOf(old))
    await again()
    assert.deepEqual(await published(), [standby])
    assert.equal((await identityOf(server, old)).status, 401)
    assert.equal((await identityOf(server, anon)).status, 401)
    assert.equal((await identityOf(server, next.session.access_token)).body[0].uid, data.user.id)
    const { ANON_KEY, SUPABASE_SECRET_KEY } = keysOf('supabase-compat', scratch.path)
    assert.equal((await identityOf(server, ANON_KEY)).body[0].role, 'anon')
    const service = createClient(server.url, SUPABASE_SECRET_KEY)
    assert.equal((await service.rpc('who').single()).data.role, 'service_role')
  })
})
