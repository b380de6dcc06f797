// The OpenAPI description of the vote API, checked by two published tools: a validator of OpenAPI documents, and
// schemathesis, which sends valid and invalid requests and compares each answer with the description.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'

import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'

const PACKAGES = fileURLToPath(new URL('../../target/test-python', import.meta.url))

let server
let folder

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'palmares-openapi-'))
  // Rate limits are out of reach.
  const env = { VOTE_API_RATE_BURST: '1000000', VOTE_API_TOKEN_RATE_BURST: '1000000', STATUS_RATE: '0' }
  server = await startServer({ args: ['--demo'], env })
})
after(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the document is valid OpenAPI 3.1', async () => {
  const document = await (await fetch(`${server.url}/api/openapi.json`)).json()
  assert.match(document.openapi, /^3\.1\./)
  const validator = new Validator()
  assert.deepEqual(await validator.validate(document), { valid: true })
  assert.equal(validator.version, '3.1')
  delete document.info.title
  assert.equal((await validator.validate(document)).valid, false, 'it would have said so')
})

/** Runs schemathesis with all its checks on every operation; throws if a check fails. */
async function hold(settings, ...more) {
  const file = join(folder, 'schemathesis.toml')
  writeFileSync(file, settings)
  const args = ['--config-file', file, 'run', `${server.url}/api/openapi.json`, '--no-color', '--workers', '2', ...more]
  const ran = await promisify(execFile)('python3', ['-m', 'schemathesis.cli', ...args], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: PACKAGES },
    timeout: 300_000,
  }).catch((error) => assert.fail(`${error.stdout ?? ''}${error.stderr ?? error}`))
  assert.match(ran.stdout, /Tested: 23/)
}

// ListForge answers 200 and "Error: …" to invalid requests, and its plugins rely on that.
const LIST_FORGE = `
[[operations]]
include-path = "/api/"
checks.negative_data_rejection.enabled = false
`

test('requests without a token are answered as described', { timeout: 330_000 }, () =>
  hold(LIST_FORGE, '--phases', 'coverage,fuzzing', '-n', '3'))

test('requests with a token are answered as described', { timeout: 330_000 }, async () => {
  const [{ token }] = await asOwner(
    server,
    `select a.token from public.server_api_tokens as a
     inner join public.server_standings as t on t.server_id = a.server_id
     where t.is_listed order by t.total_votes desc limit 1`,
  )
  const everywhere = ['path.server', 'query.server_token', 'query.key'].map((name) => `"${name}" = "${token}"\n`)
  await hold(`[parameters]\n${everywhere.join('')}`, '--phases', 'fuzzing', '-n', '3', '--mode', 'positive')
})
