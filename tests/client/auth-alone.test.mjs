// auth/v1 alone: on an operator's database, at the root path like the original, with the original's
// symmetric secret; and its errors about invalid settings.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'

import { AuthClient } from '@supabase/supabase-js'
import { memory } from '../support/auth.mjs'
import { binary, scratchFolder, startServer } from '../support/server.mjs'
import { asOwner } from '../support/database.mjs'

const SECRET = '37c304f8-51aa-419a-a1af-06154e63707a'

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token signed with the operator's own secret. */
function signed(claims) {
  const body = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${body}.${createHmac('sha256', SECRET).update(body).digest('base64url')}`
}

let owner
let server

before(async () => {
  // This server's database stands in for the operator's own.
  owner = await startServer({ name: 'supabase-compat', args: ['--only', 'rest'] })
  await asOwner(owner, 'create database elsewhere')
  server = await startServer({
    name: 'supabase-compat',
    args: ['--only', 'auth'],
    env: {
      DATABASE_URL: `postgres://postgres@localhost/elsewhere?host=${encodeURIComponent(`${owner.dataDir}/run`)}`,
      GOTRUE_JWT_SECRET: SECRET,
      GOTRUE_JWT_ADMIN_ROLES: 'service_role,supabase_admin',
      GOTRUE_MAILER_AUTOCONFIRM: 'true',
      GOTRUE_SMS_AUTOCONFIRM: 'true',
      GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
      GOTRUE_DB_DRIVER: 'postgres',
      GOTRUE_API_HOST: '0.0.0.0',
      GOTRUE_OPERATOR_TOKEN: 'super-secret',
      GOTRUE_COOKIE_KEY: 'sb',
    },
  })
})
after(async () => {
  await server?.stop()
  await owner?.stop()
})

const client = (url, headers = {}) =>
  new AuthClient({ url, headers, autoRefreshToken: false, persistSession: true, storage: memory() })

test('auth is served at root and /auth/v1', async () => {
  for (const url of [server.url, `${server.url}/auth/v1`]) {
    const person = client(url)
    const email = `person${url.length}@example.org`
    const { data, error } = await person.signUp({ email, password: 'correct horse' })
    assert.equal(error, null)
    assert.equal(data.user.email, email)
    const claims = await person.getClaims()
    assert.equal(claims.data.claims.sub, data.user.id)
    assert.equal((await person.refreshSession()).error, null)
  }
  const { data: phone } = await client(server.url).signUp({ phone: '15550100', password: 'correct horse' })
  assert.equal(phone.user.phone, '15550100')
  assert.deepEqual(await asOwner(owner, "select 1 from pg_namespace where nspname = 'auth'"), [])
})

test('admin token is accepted without a subject', async () => {
  for (const claims of [{ role: 'service_role' }, { role: 'supabase_admin', sub: '1234567890' }]) {
    const admin = client(server.url, { Authorization: `Bearer ${signed(claims)}` }).admin
    const { data, error } = await admin.listUsers()
    assert.equal(error, null)
    assert.ok(data.users.length >= 2)
  }
  const forged = signed({ role: 'service_role' }).slice(0, -4)
  const refused = await client(server.url, { Authorization: `Bearer ${forged}AAAA` }).admin.listUsers()
  assert.equal(refused.error.code, 'bad_jwt')
})

test('other services are not served', async () => {
  assert.equal((await fetch(`${server.url}/rest/v1/anything`)).status, 404)
})

test('invalid settings are all reported without values', async () => {
  const folder = scratchFolder()
  const env = {
    ...process.env,
    GOTRUE_JWT_EXP: 'soon-secret',
    GOTRUE_MAILER_OTP_LENGTH: '3',
    GOTRUE_SMTP_HOST: 'relay',
    GOTRUE_HOOK_SEND_EMAIL_ENABLED: 'true',
    GOTRUE_HOOK_SEND_EMAIL_URI: 'http://elsewhere.test/hook',
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
    GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true',
    GOTRUE_SMTP_HEADERS: 'X',
    GOTRUE_MAILER_TEMPLATES_INVITE: '{{ .Data',
    GOTRUE_MALIER_AUTOCONFIRM: 'true',
  }
  const args = ['serve', '--only', 'auth', '--port', '0', '--data-dir', folder.path]
  const { code, output } = await new Promise((resolve) => {
    execFile(binary('supabase-compat'), args, { env }, (error, out, err) => resolve({ code: error?.code, output: out + err }))
  })
  folder.remove()
  assert.ok(code > 0)
  const names = Object.keys(env).filter((name) => /^(GOTRUE)_/.test(name))
  const expected = names
    .filter((name) => !/_ENABLED$|_HOST$|SEND_EMAIL_URI/.test(name))
    .concat('GOTRUE_SMTP_ADMIN_EMAIL', 'GOTRUE_HOOK_SEND_EMAIL_URI', 'GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID', 'GOTRUE_SECURITY_CAPTCHA_SECRET')
  for (const name of expected) assert.match(output, new RegExp(`${name}: `), output)
  assert.doesNotMatch(output, /soon-secret/)
})
