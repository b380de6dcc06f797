// Generated types are the same text as the published generators', for the site and for a schema of edge cases.
// beside-originals.test.mjs tests the projects.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { generateSwift, generateTypescript, introspect, sortGeneratorMetadata } from '@supabase/postgrest-typegen'

import { runCommand } from '../support/command.mjs'
import { asOwner, connectedAsOwner } from '../support/database.mjs'
import { scratchFolder, startServer } from '../support/server.mjs'
import { assertSameWrittenTypes, published, schemasOf, written } from '../support/typegen.mjs'

const TESTS = fileURLToPath(new URL('..', import.meta.url))
const CORNERS = readFileSync(join(TESTS, 'support/typegen.sql'), 'utf8')

test('site’s types match the published generators', async () => {
  const server = await startServer()
  try {
    await assertSameWrittenTypes(server, server.dataDir, ['public'], await schemasOf(server))
  } finally {
    await server.stop()
  }
})

describe('a schema of edge cases', () => {
  let scratch
  let server

  before(async () => {
    scratch = scratchFolder()
    server = await startServer({ name: 'supabase-compat' })
    await asOwner(server, CORNERS)
  })
  after(async () => {
    await server?.stop()
    scratch?.remove()
  })

  test('is written as the published generators write it', async () => {
    // The original compares a quoted schema name with the requested one, and so omits the keys of such a schema.
    const all = await schemasOf(server)
    await assertSameWrittenTypes(server, scratch.path, ['public'], all.filter((schema) => /^[a-z_]+$/.test(schema)))
  })

  test('is served by /pg/generators for service key only', async () => {
    const expected = await published(server, ['public'])
    const parameters = 'included_schemas=public&detect_one_to_one_relationships=true'
    for (const [language, text] of Object.entries(expected)) {
      const address = `${server.url}/pg/generators/${language}?${parameters}`
      assert.equal((await fetch(address)).status, 401)
      assert.equal((await fetch(address, { headers: { apikey: server.keys.ANON_KEY } })).status, 403)
      const answer = await fetch(address, { headers: { apikey: server.keys.SERVICE_ROLE_KEY } })
      assert.equal(answer.status, 200)
      assert.equal(await answer.text(), language === 'typescript' ? text : text.slice(0, -1), language)
    }
  })

  test('has the foreign keys of a quoted schema', async () => {
    const own = await written(server, scratch.path, '--schema', 'Other Schema')
    assert.match(own, /columns: \["strange one"\]\n {12}isOneToOne: false\n {12}referencedRelation: "Strange Table"\n/)
  })

  test('options set PostgREST 9 and Swift access control', async () => {
    const client = await connectedAsOwner(server)
    const metadata = sortGeneratorMetadata(await introspect(client, { includedSchemas: ['public'] }))
    await client.end()
    const address = `postgresql://postgres@${encodeURIComponent(join(server.dataDir, 'run'))}/postgres`
    const own = await written(server, scratch.path, '--db-url', address, '--schema', 'public', '--postgrest-v9-compat')
    assert.equal(own, await generateTypescript(metadata))
    const open = await written(server, scratch.path, 'swift', '--swift-access-control', 'public', '-s', 'public')
    assert.equal(open, `${generateSwift(metadata, { accessControl: 'public' })}\n`)
  })

  test('compiles with the types of supabase-js', async () => {
    const file = (name) => join(scratch.path, name)
    writeFileSync(file('database.types.ts'), await written(server, scratch.path, '--schema', 'public'))
    writeFileSync(
      file('use.ts'),
      `import { createClient } from '@supabase/supabase-js'
       import type { Database, Enums, Tables, TablesInsert } from './database.types'
       const client = createClient<Database>('http://localhost', 'key')
       const insert: TablesInsert<'authors'> = { name: 'Ada' }
       const mood: Enums<'mood'> = 'say "hi"'
       export async function use(): Promise<[string, string | null, number]> {
         await client.from('authors').insert(insert)
         const { data } = await client.from('profiles').select('bio, authors(name)').single()
         const row: Tables<'profiles'> | null = (await client.from('profiles').select().single()).data
         const { data: books } = await client.from('books').select('title, mood, title_length').eq('mood', mood)
         const { data: sum } = await client.rpc('many_arguments', { first_argument_with_a_long_name: 'a', second_argument_with_a_long_name: 1 })
         return [data?.authors.name ?? '', row?.bio ?? null, (sum?.length ?? 0) + (books?.[0]?.title_length ?? 0)]
       }`,
    )
    symlinkSync(join(TESTS, 'node_modules'), file('node_modules'))
    const typescript = createRequire(join(TESTS, '../frontend/package.json')).resolve('typescript/package.json')
    const compiler = join(dirname(typescript), 'bin/tsc')
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022']
    await promisify(execFile)(process.execPath, [compiler, ...options, file('use.ts')], { cwd: scratch.path }).catch((error) => assert.fail(error.stdout || error.stderr))
  })
})

test('unknown languages and databases are refused with messages', async () => {
  const refused = async (args, message) => {
    const { code, stderr, stdout } = await runCommand('supabase-compat', ['gen', 'types', ...args])
    assert.notEqual(code, 0)
    assert.equal(stdout, '')
    assert.match(stderr, message)
  }
  await refused(['--lang', 'cobol'], /typescript, go, swift, python/)
  await refused(['--db-url', 'postgresql://nobody@127.0.0.1:1/none', '--schema', 'public'], /connect|refused/i)
  await refused(['--query-timeout', 'soon'], /15s/)
  await refused(['--postgrest-v9-compat'], /--db-url/)
})

describe('gen signing-key', () => {
  const key = (...args) => runCommand('supabase-compat', ['gen', 'signing-key', ...args])

  test('prints a key without a configured file', async () => {
    const scratch = scratchFolder()
    try {
      for (const [args, members] of [
        [[], ['d', 'crv', 'x', 'y']],
        [['--algorithm', 'RS256'], ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']],
      ]) {
        const { code, stdout } = await key(...args, '--workdir', scratch.path)
        assert.equal(code, 0)
        assert.deepEqual(Object.keys(JSON.parse(stdout)), ['kty', 'kid', 'use', 'key_ops', 'alg', 'ext', ...members])
      }
    } finally {
      scratch.remove()
    }
  })

  test('writes and appends to the configured file', async () => {
    const scratch = scratchFolder()
    try {
      mkdirSync(join(scratch.path, 'supabase'))
      writeFileSync(join(scratch.path, 'supabase/config.toml'), '[auth]\nsigning_keys_path = "./keys.json"\n')
      const file = join(scratch.path, 'supabase/keys.json')
      const keys = () => JSON.parse(readFileSync(file, 'utf8'))
      assert.equal((await key('--workdir', scratch.path)).code, 0)
      const [first] = keys()
      assert.equal(statSync(file).mode & 0o777, 0o600)
      const { stdout, stderr } = await key('--append', '--algorithm', 'RS256', '--workdir', scratch.path)
      assert.equal(stdout, '')
      assert.match(stderr, /now contains 2 keys/)
      assert.deepEqual(keys().map((one) => [one.alg, one.kid === first.kid]), [['ES256', true], ['RS256', false]])
      assert.equal((await key('--yes', '--workdir', scratch.path)).code, 0)
      assert.equal(keys().length, 1)
      writeFileSync(file, 'no keys')
      const refused = await key('--append', '--workdir', scratch.path)
      assert.match(refused.stderr, /keys\.json: expected an array of keys/)
      assert.deepEqual([refused.code, readFileSync(file, 'utf8')], [1, 'no keys'])
    } finally {
      scratch.remove()
    }
  })
})
