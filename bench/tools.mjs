// Developer tools on the largest schema of tests/projects, compared with the originals that run without Docker: types,
// differences of schemas, statements below /pg; and their memory at rest.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { connectedAsOwner } from '../tests/support/database.mjs'
import { DENO } from '../tests/support/deno.mjs'
import { startPostgresMeta } from '../tests/support/postgres-meta.mjs'
import { PROJECTS } from '../tests/support/project.mjs'
import { binary, scratchFolder, startServer } from '../tests/support/server.mjs'
import { median, ROUNDS, wrk, wrkScript } from './load.mjs'
import { residentMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const require = createRequire(fileURLToPath(new URL('../tests/package.json', import.meta.url)))
const DIFFERENCE = fileURLToPath(new URL('../supabase-compat/compat-cli/src/commands/diff', import.meta.url))
const NAME = 'supabase-compat'
/** Number of runs of each command, whose median is reported; a BENCH_SCALE below 1 makes a quick trial. */
const RUNS = Math.max(1, Math.round(5 * Number(process.env.BENCH_SCALE ?? 1)))
const ROWS = 1000
const CLIENTS = [1, 8]

/** The project with the longest migrations. */
function largestProject() {
  const length = (name) => {
    const folder = join(PROJECTS, name, 'supabase/migrations')
    return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  }
  const names = readdirSync(PROJECTS).filter((name) => readdirSync(join(PROJECTS, name, 'supabase')).includes('migrations'))
  return names.sort((one, other) => length(other) - length(one))[0]
}

/** The path of the official CLI from npm's package; undefined where it is not installed. */
function officialCli() {
  try {
    return join(dirname(require.resolve('@supabase/cli-linux-x64/package.json')), 'bin/supabase')
  } catch {
    return undefined
  }
}

/** Run time of a program in seconds; fails unless the program succeeds. */
async function seconds(program, args, { env = {}, cwd } = {}) {
  const startedAt = performance.now()
  await promisify(execFile)(program, args, { env: { ...process.env, ...env }, cwd, maxBuffer: 1 << 28 })
  return (performance.now() - startedAt) / 1000
}

/** Seconds of each of several commands by name, in alternating rounds; `before` runs in front of each. */
async function alternating(commands, before = () => {}) {
  const durations = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  // The first round, which fetches and compiles, is not counted.
  for (let round = -1; round < RUNS; round++) {
    for (const [name, run] of Object.entries(commands)) {
      await before()
      const value = await run()
      if (round >= 0) durations[name].push({ value })
    }
  }
  return Object.fromEntries(Object.entries(durations).map(([name, rows]) => [name, median(rows, 'value')]))
}

/** Serves a copy of a project, with data of its own. */
async function served(project, env = {}) {
  const scratch = scratchFolder()
  const [dir, data] = [join(scratch.path, project), join(scratch.path, 'data')]
  cpSync(join(PROJECTS, project), dir, { recursive: true })
  mkdirSync(data, { mode: 0o755 })
  const server = await startServer({ name: NAME, command: 'up', args: [dir], dataDir: data, env: { DENO_PATH: DENO, ...env } })
  const options = ['--data-dir', data, '--workdir', dir]
  const status = execFileSync(binary(NAME), ['status', '-o', 'json', '--port', new URL(server.url).port, ...options], { encoding: 'utf8' })
  return {
    server,
    dir,
    database: JSON.parse(status).DB_URL,
    /** Seconds of one of our commands in the project's folder. */
    run: (...args) => seconds(binary(NAME), [...args, ...options], { env: { DENO_PATH: DENO } }),
    async stop() {
      await server.stop()
      scratch.remove()
    },
  }
}

const cell = (value) => (value === undefined ? '' : `${value.toFixed(2)} s`)

async function types({ run, database, dir }) {
  const script = `
    import pg from 'pg'
    import { generateTypescript, introspect, sortGeneratorMetadata } from '@supabase/postgrest-typegen'
    const client = new pg.Client({ connectionString: process.env.DATABASE })
    await client.connect()
    const metadata = sortGeneratorMetadata(await introspect(client, { includedSchemas: ['public'] }))
    console.log(await generateTypescript(metadata, { detectOneToOneRelationships: true }))
    await client.end()`
  const tests = fileURLToPath(new URL('../tests', import.meta.url))
  const cli = officialCli()
  const home = { HOME: dir, DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' }
  const durations = await alternating({
    ours: () => run('gen', 'types', '--lang', 'typescript', '--schema', 'public'),
    library: () => seconds(process.execPath, ['--input-type=module', '-e', script], { env: { DATABASE: database }, cwd: tests }),
    ...(cli && { official: () => seconds(cli, ['gen', 'types', '--db-url', `${database}?sslmode=disable`, '--schema', 'public', '--workdir', dir], { env: home }) }),
  })
  return `| \`gen types\` | ${cell(durations.ours)} | ${cell(durations.official)} | ${cell(durations.library)} (postgrest-typegen, node) |`
}

/** Compares two databases that already exist. */
async function compared(from, to) {
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const script = join(folder, 'main.mjs')
    const question = JSON.stringify({ from, to, schemas: [] })
    writeFileSync(script, `${readFileSync(join(DIFFERENCE, 'schema_diff.mjs'), 'utf8')}\nawait answer(${question})\n`)
    return await seconds(DENO, ['run', '--allow-all', '--no-prompt', '--lock', join(DIFFERENCE, 'deno.lock'), script])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function differences(project, { server, run, database, dir }) {
  // The other database has the project's migrations alone, like a shadow database.
  const other = await served(project)
  const client = await connectedAsOwner(server)
  let made = 0
  const change = () => client.query(`create table public.made_by_hand_${++made} (id bigint primary key, owner uuid references auth.users, body text)`)
  try {
    await change()
    const diff = await alternating({ ours: () => run('db', 'diff'), library: () => compared(other.database, database) })
    const pull = await alternating({ ours: () => run('db', 'pull') }, change)
    const migrations = readdirSync(join(dir, 'supabase/migrations')).length
    return [
      `| \`db diff\`, a table more | ${cell(diff.ours)} | needs docker | ${cell(diff.library)} (pg-delta, deno; both databases are there) |`,
      `| \`db pull\`, a table more, ${migrations} migrations in the end | ${cell(pull.ours)} | needs docker | |`,
    ]
  } finally {
    await client.end()
    await other.stop()
  }
}

/** `/pg/query` of many rows, ours and postgres-meta's in alternating rounds. */
async function statements({ server }) {
  const meta = await startPostgresMeta()
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const query = `select n as id, 'thing ' || n as name, n * 1.5::float8 as price, now() as created_at, n % 2 = 0 as is_even, jsonb_build_object('n', n) as data from generate_series(1, ${ROWS}) as n`
    const request = (headers) => ({ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })
    const sides = {
      ours: { url: `${server.url}/pg/query`, request: request({ apikey: server.keys.SERVICE_ROLE_KEY }) },
      'postgres-meta': { url: `${meta.url}/query`, request: request(meta.headersOf(server)) },
    }
    const rows = []
    for (const side of Object.values(sides)) {
      const answer = await fetch(side.url, side.request)
      const body = await answer.json()
      if (body.length !== ROWS) throw new Error(`${side.url}: ${JSON.stringify(body).slice(0, 200)}`)
      side.script = wrkScript(folder, side.request)
    }
    for (const clients of CLIENTS) {
      const runs = { ours: [], 'postgres-meta': [] }
      for (let round = 0; round < ROUNDS; round++) {
        for (const [name, { url, script }] of Object.entries(sides)) runs[name].push(wrk(url, script, clients))
      }
      for (const [name, list] of Object.entries(runs)) {
        const [rate, p50, p99] = ['rate', 'p50', 'p99'].map((value) => median(list, value))
        const ratio = (rate / median(runs['postgres-meta'], 'rate')).toFixed(1)
        rows.push(`| ${name} | ${clients} | ${rate.toFixed(0)} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${ratio} |`)
      }
    }
    return { rows, memory: residentMiB(meta.pid) }
  } finally {
    await meta.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Memory of a server with these variables before its first request, in MiB. */
async function atRest(env) {
  const values = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer({ name: NAME, env })
    values.push({ value: residentMiB(server.pid) })
    await server.stop()
  }
  return median(values, 'value')
}

export async function tools() {
  if (spawnSync('wrk', ['--version']).error) return 'Not measured: wrk is not here.'
  const name = largestProject()
  const project = await served(name)
  try {
    const commands = [await types(project), ...(await differences(name, project))]
    const { rows, memory } = await statements(project)
    const after = residentMiB(project.server.pid)
    const [all, bare] = [await atRest({}), await atRest({ MCP_ENABLED: 'false', LOG_MAX_SIZE: '0' })]
    const size = statSync(binary(NAME)).size
    return [
      `| command on the project ${name} | \`${NAME}\` | official CLI | the library by itself |`,
      '|---|---|---|---|',
      ...commands,
      '',
      `| \`/pg/query\`, ${ROWS} rows | clients | requests/s | p50 ms | p99 ms | ratio |`,
      '|---|---|---|---|---|---|',
      ...rows,
      '',
      `At rest \`${NAME} serve\` holds ${all.toFixed(1)} MiB (RSS), ${bare.toFixed(1)} without \`/mcp\` and the log; the server of the project, after all this, ${after.toFixed(0)}. npm's postgres-meta holds ${memory.toFixed(0)} after its part. The binary has ${(size / 1e6).toFixed(1)} MB. Medians of ${RUNS} runs of each command, which alternate, and of ${ROUNDS} rounds of load.`,
    ].join('\n')
  } finally {
    await project.stop()
  }
}
