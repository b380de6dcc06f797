// The tools for agents, by the published client of the Model Context Protocol over both transports, and the limits of
// read-only connections. beside-originals.test.mjs tests the advice.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import pg from 'pg'

import { runCommand } from '../support/command.mjs'
import { DENO } from '../support/deno.mjs'
import { PROJECTS } from '../support/project.mjs'
import { binary, eventually, scratchFolder, startServer } from '../support/server.mjs'

/** Tools that exist in every mode of connection. */
const READING = [
  'search_docs',
  'list_tables',
  'list_extensions',
  'list_migrations',
  'execute_sql',
  'get_advisors',
  'get_logs',
  'get_project_url',
  'get_publishable_keys',
  'generate_typescript_types',
  'list_edge_functions',
  'get_edge_function',
]

async function startProject(name) {
  const scratch = scratchFolder()
  const dir = join(scratch.path, name)
  cpSync(join(PROJECTS, name), dir, { recursive: true })
  const data = join(scratch.path, 'data')
  mkdirSync(data, { mode: 0o755 })
  const server = await startServer({
    name: 'supabase-compat',
    command: 'up',
    args: [dir],
    dataDir: data,
    isPrepared: true,
    env: { DENO_PATH: DENO },
  })
  return {
    server,
    dir,
    data,
    async stop() {
      await server.stop()
      scratch.remove()
    },
  }
}

/** An MCP client, connected to a server. */
async function connected(server, { query = '', key = server.keys.SUPABASE_SECRET_KEY } = {}) {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { Authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp${query}`), {
    requestInit: { headers },
  })
  await client.connect(transport)
  return client
}

/** The answer of a tool, or the text of its error. */
async function call(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args })
  const text = result.content[0].text
  if (result.isError) return { error: JSON.parse(text).error.message }
  assert.deepEqual(JSON.parse(text), result.structuredContent)
  return result.structuredContent
}

/** The rows between the marks of `execute_sql`. */
function rowsIn({ result, error }) {
  assert.equal(error, undefined)
  const [, id, rows] = result.match(/<untrusted-data-([0-9a-f-]{36})>\n(.*)\n<\/untrusted-data-\1>/s)
  assert.ok(result.split(id).length > 4)
  return JSON.parse(rows)
}

const database = async (project, user = 'supabase_admin') => {
  const client = new pg.Client({ host: `${project.data}/run`, user, database: 'postgres' })
  await client.connect()
  return client
}

/** A request with exactly the given headers, `host` included. */
const bare = (url, { method = 'POST', headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    // For GET and DELETE, Node sends a body without its length, which the server would read as the next request.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method, headers: { 'content-type': 'application/json', ...length, ...headers } }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode, text, headers: answer.headers }))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const ACCEPT = { accept: 'application/json, text/event-stream' }

describe('a project for agents', () => {
  let project
  let server

  before(async () => {
    project = await startProject('shop')
    server = project.server
  })
  after(() => project?.stop())

  describe('who may call', () => {
    test('no route answers without the secret key', async () => {
      const { ANON_KEY, SUPABASE_PUBLISHABLE_KEY, SUPABASE_SECRET_KEY, SERVICE_ROLE_KEY } = server.keys
      const foreign = `${SERVICE_ROLE_KEY.slice(0, -6)}AAAAAA`
      const keys = [
        [401, {}],
        [401, { authorization: 'Bearer ' }],
        [401, { authorization: 'Bearer sb_secret_wrong' }],
        [401, { authorization: `Bearer ${foreign}` }],
        [401, { authorization: `Basic ${Buffer.from(`x:${SUPABASE_SECRET_KEY}`).toString('base64')}` }],
        [401, { apikey: 'null' }],
        [401, { authorization: `Bearer ${ANON_KEY}` }],
        [401, { apikey: SUPABASE_PUBLISHABLE_KEY }],
      ]
      for (const path of ['/mcp', '/mcp/', '/mcp/x', '/mcp?read_only=false', '/advisors/v1', '/advisors/v1/x']) {
        for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH']) {
          for (const [status, headers] of keys) {
            const answer = await bare(`${server.url}${path}`, { method, headers: { ...ACCEPT, ...headers }, body: INITIALIZE })
            assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(headers)}`)
            assert.match(answer.headers['www-authenticate'], /Bearer/)
          }
        }
      }
      const query = `${server.url}/mcp?apikey=${SUPABASE_SECRET_KEY}`
      assert.equal((await bare(query, { headers: ACCEPT, body: INITIALIZE })).status, 401, 'a key in the address')
    })

    test('user token is refused beside the secret key', async () => {
      const answered = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: server.keys.ANON_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@shop.test', password: 'correct horse' }),
      })
      const { access_token } = await answered.json()
      const headers = { ...ACCEPT, authorization: `Bearer ${access_token}`, apikey: server.keys.SUPABASE_SECRET_KEY }
      assert.equal((await bare(`${server.url}/mcp`, { headers, body: INITIALIZE })).status, 403)
    })

    test('foreign origins and hosts are refused', async () => {
      const authorization = `Bearer ${server.keys.SUPABASE_SECRET_KEY}`
      const status = async (headers) => {
        const sent = { ...ACCEPT, authorization, ...headers }
        return (await bare(`${server.url}/mcp`, { headers: sent, body: INITIALIZE })).status
      }
      assert.equal(await status({}), 200)
      assert.equal(await status({ origin: server.url }), 200)
      for (const origin of ['https://evil.example', 'null', 'http://localhost:1', server.url.replace('http', 'https')]) {
        assert.equal(await status({ origin }), 403, origin)
      }
      assert.equal(await status({ host: 'evil.example' }), 403)
    })

    test('requests outside the protocol are refused', async () => {
      const headers = { ...ACCEPT, authorization: `Bearer ${server.keys.SUPABASE_SECRET_KEY}` }
      for (const [status, sent] of [
        [405, { method: 'GET' }],
        [405, { method: 'DELETE' }],
        [413, { body: `{"a": "${'x'.repeat(2 * 1024 * 1024)}"}` }],
        [406, { headers: { ...headers, accept: 'text/html' }, body: INITIALIZE }],
        [415, { headers: { ...headers, 'content-type': 'text/plain' }, body: INITIALIZE }],
      ]) {
        const answer = await bare(`${server.url}/mcp`, { headers, ...sent })
        assert.equal(answer.status, status, JSON.stringify(sent).slice(0, 200))
      }
      for (const body of ['', '{', '[]', '{"jsonrpc": "2.0"}', '\u0000']) {
        const { status } = await bare(`${server.url}/mcp`, { headers, body })
        assert.ok(status >= 400 && status < 500, `${body}: ${status}`)
      }
      for (const query of ['?read_only=maybe', '?features=magic']) {
        assert.equal((await bare(`${server.url}/mcp${query}`, { headers, body: INITIALIZE })).status, 400)
      }
      assert.equal((await bare(`${server.url}/advisors/v1?type=magic`, { method: 'GET', headers })).status, 400)
    })
  })

  describe('reading only', () => {
    let client
    before(async () => {
      client = await connected(server)
    })
    after(() => client?.close())

    test('the tools are those of the original', async () => {
      const { tools } = await client.listTools()
      assert.deepEqual(tools.map((tool) => tool.name).sort(), [...READING].sort())
      for (const tool of tools) {
        assert.equal(tool.annotations.readOnlyHint, true, tool.name)
        assert.equal(tool.inputSchema.type, 'object')
      }
      const some = await connected(server, { query: '?features=docs,debugging' })
      const names = (await some.listTools()).tools.map((tool) => tool.name)
      assert.deepEqual(names.sort(), ['get_advisors', 'get_logs', 'search_docs'])
      await assert.rejects(some.callTool({ name: 'execute_sql', arguments: { query: 'select 1' } }))
      await some.close()
    })

    test('the generated types cover the served schemas', async () => {
      const { types } = await call(client, 'generate_typescript_types')
      assert.match(types, /^export type Json =/)
      assert.match(types, /products: \{/)
    })

    test('requests are in the log, without their keys', async () => {
      const path = '/rest/v1/products_that_are_not_there'
      await fetch(server.url + path, { headers: { apikey: server.keys.ANON_KEY } })
      const lines = await eventually(async () => {
        const { result } = await call(client, 'get_logs', { service: 'api' })
        return result.includes(path) && result
      })
      assert.ok(!lines.includes(server.keys.ANON_KEY))
      assert.ok(!(await call(client, 'get_logs', { service: 'auth' })).result.includes(path))
      const refused = await call(client, 'get_logs', { service: 'api', iso_timestamp_start: 'yesterday' })
      assert.match(refused.error, /iso_timestamp_start/)
    })

    test('tables, extensions and migrations are listed', async () => {
      const { tables, advisory } = await call(client, 'list_tables', { project_id: 'any' })
      const products = tables.find((table) => table.name === 'public.products')
      assert.equal(products.rls_enabled, true)
      assert.equal(products.columns, undefined)
      assert.equal(advisory, undefined)
      const all = await call(client, 'list_tables', { schemas: [], verbose: true })
      const orders = all.tables.find((table) => table.name === 'public.orders')
      assert.ok(orders.columns.some((column) => column.name === 'product'))
      assert.deepEqual(orders.primary_keys, ['id'])
      assert.ok(orders.foreign_key_constraints.some((key) => key.target_table === 'public.products'))
      assert.ok(all.tables.some((table) => table.name === 'auth.users'))
      const { extensions } = await call(client, 'list_extensions')
      assert.ok(extensions.find((extension) => extension.name === 'pgcrypto').installed_version)
      const { migrations } = await call(client, 'list_migrations')
      const files = readdirSync(join(project.dir, 'supabase/migrations')).sort()
      assert.deepEqual(migrations.map((one) => `${one.version}_${one.name}.sql`), files)
    })

    test('rows come as data between marks', async () => {
      const rows = rowsIn(await call(client, 'execute_sql', { query: 'select name from products order by name; ' }))
      assert.deepEqual(rows.map((row) => row.name), ['Chair', 'Lamp; brass'])
      const many = await call(client, 'execute_sql', { query: 'select generate_series(1, 100000) as n' })
      assert.equal(rowsIn(many).length, 1000)
      assert.match(many.result, /only the first 1000/)
      assert.match((await call(client, 'execute_sql', { query: "select repeat('x', 3000000)" })).error, /larger than 1024 kB/)
      assert.match((await call(client, 'execute_sql', { query: 'select nothing' })).error, /42703: column "nothing" does not exist/)
    })

    test('nothing can be changed', async () => {
      const owner = await database(project)
      const state = async () => {
        const { rows } = await owner.query(
          `select (select count(*) from public.products) as products, (select count(*) from pg_class) as relations,
                  (select count(*) from pg_roles) as roles, (select count(*) from vault.secrets) as secrets`,
        )
        return rows[0]
      }
      await owner.query(`create function public.sneak() returns void language sql security definer
        as $$ delete from public.products $$; grant execute on function public.sneak() to public`)
      await call(client, 'execute_sql', { query: 'select 1' })
      const untouched = await state()
      for (const query of [
        'delete from products',
        'commit; delete from products',
        'COMMIT; DROP TABLE products CASCADE; BEGIN',
        'end; drop table products cascade',
        'rollback and chain; set transaction read write; delete from products',
        'select sneak()',
        'set transaction read write; select sneak()',
        "select set_config('transaction_read_only', 'off', false), sneak()",
        'do $$ begin perform sneak(); end $$',
        'do $$ begin commit; perform sneak(); end $$',
        "do $$ begin execute 'set transaction read write'; perform sneak(); end $$",
        'set role postgres; delete from products',
        'set session authorization supabase_admin; delete from products',
        'reset role; reset session authorization; delete from products',
        'create extension if not exists dblink',
        'create role intruder superuser',
        "copy (select 1) to program 'touch /tmp/intruder'",
        "copy (select 1) to '/tmp/intruder'",
        "select pg_read_file('postgresql.conf')",
        "select lo_import('/etc/passwd')",
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'supabase_admin'",
        "select net.http_post('http://localhost')",
        "select cron.schedule('x', '* * * * *', 'select 1')",
        "select vault.create_secret('x')",
        "select auth.uid(); insert into auth.users (id) values (gen_random_uuid())",
        'create temp table x (id int); drop table products cascade',
      ]) {
        const { error } = await call(client, 'execute_sql', { query })
        assert.equal(typeof error, 'string', query)
        assert.deepEqual(await state(), untouched, query)
      }
      const refused = await call(client, 'apply_migration', { name: 'x', query: 'drop table products' })
      assert.match(refused.error, /read-only mode/)
      await owner.query('drop function public.sneak()')
      await owner.end()
    })

    test('secrets cannot be read', async () => {
      const owner = await database(project)
      await owner.query("select vault.create_secret('the vault holds it', 'for_agents')")
      await owner.query('create table public.leak (text text); alter table public.leak enable row level security')
      await owner.query('insert into public.leak values ($1)', [server.keys.SERVICE_ROLE_KEY])
      const opened = await call(client, 'execute_sql', { query: 'select decrypted_secret from vault.decrypted_secrets' })
      assert.match(opened.error, /permission denied/)
      const leaked = await call(client, 'execute_sql', { query: 'select text from leak' })
      assert.deepEqual(rowsIn(leaked), [{ text: '[hidden]' }])
      const { keys } = await call(client, 'get_publishable_keys')
      assert.deepEqual(keys.map((key) => key.api_key), [server.keys.SUPABASE_PUBLISHABLE_KEY, server.keys.ANON_KEY])
      assert.deepEqual(await call(client, 'get_project_url'), { url: server.url.replace('localhost', '127.0.0.1') })
      await owner.query("drop table public.leak; delete from vault.secrets where name = 'for_agents'")
      await owner.end()
    })

    test('functions are shown with their files', async () => {
      const { functions } = await call(client, 'list_edge_functions')
      const names = readdirSync(join(project.dir, 'supabase/functions'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
        .map((entry) => entry.name)
      assert.deepEqual(functions.map((one) => one.slug).sort(), names.sort())
      const one = await call(client, 'get_edge_function', { function_slug: names[0] })
      assert.ok(one.files.some((file) => file.name === one.entrypoint_path && file.content.length > 0))
      for (const function_slug of ['../..', '/etc', 'none', '']) {
        assert.match((await call(client, 'get_edge_function', { function_slug })).error, /There is no Edge Function/)
      }
    })

    test('documentation is searched', async () => {
      const { result } = await call(client, 'search_docs', { query: 'read-only MCP agents' })
      assert.ok(result.searchDocs.nodes.some((node) => node.href.startsWith('docs/mcp.md')))
      const graphql = await call(client, 'search_docs', { graphql_query: '{ searchDocs(query: "backup", limit: 1) { nodes { title } } }' })
      assert.ok(graphql.result.searchDocs.nodes.length > 0)
    })

    test('invalid arguments are refused', async () => {
      for (const [name, args] of [
        ['execute_sql', {}],
        ['execute_sql', { query: 7 }],
        ['execute_sql', { query: '' }],
        ['execute_sql', { query: 'select 1 -- \u0000' }],
        ['list_tables', { schemas: 'public' }],
        ['list_tables', { schemas: [null] }],
        ['get_advisors', { type: 'all' }],
        ['get_advisors', {}],
        ['search_docs', {}],
        ['get_edge_function', { function_slug: ['a'] }],
      ]) {
        const { error } = await call(client, name, args)
        assert.equal(typeof error, 'string', `${name} ${JSON.stringify(args)}`)
      }
      const quoted = await call(client, 'list_tables', { schemas: ["'; drop table products; --", '"'] })
      assert.deepEqual(quoted.tables, [])
      await assert.rejects(client.callTool({ name: 'drop_everything', arguments: {} }))
    })

    test('several clients at once are answered', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => call(client, 'execute_sql', { query: 'select pg_sleep(0.1), 1 as one' })),
      )
      answers.forEach((answer) => assert.equal(rowsIn(answer)[0].one, 1))
    })
  })

  describe('with changes allowed', () => {
    test('migrations are applied and recorded, statements change rows', async () => {
      const client = await connected(server, { query: '?read_only=false' })
      const names = (await client.listTools()).tools.map((tool) => tool.name)
      assert.deepEqual(names.sort(), [...READING, 'apply_migration'].sort())
      const query = 'create table notes (id int primary key, text text); alter table notes enable row level security'
      assert.deepEqual(await call(client, 'apply_migration', { name: 'make_notes', query }), { success: true })
      const { migrations } = await call(client, 'list_migrations')
      assert.equal(migrations.at(-1).name, 'make_notes')
      assert.match(migrations.at(-1).version, /^\d{14}$/)
      const inserted = await call(client, 'execute_sql', { query: "insert into notes values (1, 'one') returning id, text" })
      assert.deepEqual(rowsIn(inserted), [{ id: 1, text: 'one' }])
      const identity = await call(client, 'execute_sql', { query: "select session_user::text as who, current_setting('is_superuser') as super" })
      assert.deepEqual(rowsIn(identity), [{ who: 'postgres', super: 'off' }])
      for (const [args, words] of [
        [{ name: 'half', query: 'create table half (id int); select broken' }, /42703/],
        [{ name: 'own', query: 'create table half (id int); commit' }, /leave out COMMIT/],
        [{ name: '../x', query: 'select 1' }, /name is of letters/],
        [{ name: '', query: 'select 1' }, /name is of letters/],
        [{ name: 'none', query: '-- nothing' }, /no statement/],
      ]) {
        assert.match((await call(client, 'apply_migration', args)).error, words)
      }
      const half = await call(client, 'execute_sql', { query: "select to_regclass('half') as half" })
      assert.deepEqual(rowsIn(half), [{ half: null }])
      for (const query of ["copy notes to program 'cat'", "select pg_read_file('postgresql.conf')", 'alter role postgres superuser']) {
        assert.match((await call(client, 'execute_sql', { query })).error, /permission denied|COPY|must be|42501/, query)
      }
      await client.close()
    })
  })

  describe('over standard input and output', () => {
    const started = async (...args) => {
      const client = new Client({ name: 'test', version: '1' })
      const command = { command: binary('supabase-compat'), args: ['mcp', ...args, '--data-dir', project.data, project.dir] }
      await client.connect(new StdioClientTransport({ ...command, env: { ...process.env }, stderr: 'pipe' }))
      return client
    }

    test('the same tools answer, reading only', async () => {
      const client = await started()
      assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name).sort(), [...READING].sort())
      assert.equal(rowsIn(await call(client, 'execute_sql', { query: 'select 1 as one' }))[0].one, 1)
      assert.equal(typeof (await call(client, 'execute_sql', { query: 'commit; drop table products' })).error, 'string')
      assert.match((await call(client, 'apply_migration', { name: 'x', query: 'select 1' })).error, /read-only mode/)
      await client.close()
    })

    test('flags allow writes and choose tool groups', async () => {
      const client = await started('--read-only=false', '--features', 'database')
      const names = (await client.listTools()).tools.map((tool) => tool.name)
      assert.ok(names.includes('apply_migration') && !names.includes('search_docs'))
      assert.deepEqual(rowsIn(await call(client, 'execute_sql', { query: 'update products set name = name returning 1 as one' }))[0], { one: 1 })
      await client.close()
      const { code, output } = await runCommand('supabase-compat', ['mcp', '--features', 'magic', '--data-dir', project.data, project.dir])
      assert.equal(code, 1)
      assert.match(output, /features are of/)
    })
  })

  test('doctor shows the advice while the database runs', async () => {
    const { output } = await runCommand('supabase-compat', ['doctor', '--data-dir', project.data, project.dir])
    assert.match(output, /^(ERROR|WARN|INFO) +\w+: /m)
    assert.match(output, /^ {9}alter function /m)
  })
})
