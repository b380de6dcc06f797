// The S3 protocol, by boto3 as published.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startS3Server } from '../support/s3-server.mjs'
import { startServer } from '../support/server.mjs'

const run = promisify(execFile)
const path = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Starts a server of ours, which keeps objects as `env` configures. */
const start = (env = {}) =>
  startServer({
    name: 'supabase-compat',
    env: {
      S3_PROTOCOL_ACCESS_KEY_ID: 'service',
      S3_PROTOCOL_ACCESS_KEY_SECRET: 'a secret of the service',
      TENANT_ID: 'project',
      GOTRUE_MAILER_AUTOCONFIRM: 'true',
      ...env,
    },
  })

test('boto3 works with the S3 endpoint', { timeout: 120_000 }, async () => {
  const server = await start()
  try {
    await everything(server)
  } finally {
    await server.stop()
  }
})

test('boto3 works the same over a remote store', { timeout: 120_000 }, async () => {
  const store = await startS3Server()
  const server = await start(store.env)
  try {
    await everything(server)
    assert.equal(existsSync(join(server.dataDir, 'storage')), false, 'nothing lies here')
  } finally {
    await server.stop()
    await store.stop()
  }
})

async function everything(server) {
  await asOwner(
    server,
    `create policy "people do as they like in their folder" on storage.objects for all to authenticated
      using ((storage.foldername(name))[1] = split_part(
        current_setting('request.jwt.claims', true)::json ->> 'email', '@', 1))`,
  )
  const client = createClient(server.url, server.keys.ANON_KEY)
  const { data, error } = await client.auth.signUp({ email: 'ada@example.org', password: 'a long password 1!' })
  assert.equal(error, null)
  const { stdout } = await run(
    'python3',
    [
      path('s3.py'),
      `${server.url}/storage/v1/s3`,
      'service',
      'a secret of the service',
      'project',
      server.keys.ANON_KEY,
      data.session.access_token,
    ],
    { env: { ...process.env, PYTHONPATH: path('../../target/test-python'), AWS_EC2_METADATA_DISABLED: 'true' } },
  )
  assert.equal(stdout.trim(), 'ok')
}
