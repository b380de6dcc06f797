// A server while its project's folder changes: migrations, seeds and declared schemas are applied or offered, and
// functions are served from the folder.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { createClient } from '../support/client.mjs'
import { runCommand } from '../support/command.mjs'
import { DENO } from '../support/deno.mjs'
import { binary, eventually, keysOf, scratchFolder } from '../support/server.mjs'

const PROJECTS = fileURLToPath(new URL('../projects', import.meta.url))

/** A copy of a project in a folder of its own, with a place for its data. */
function copyOf(name) {
  const scratch = scratchFolder()
  const dir = join(scratch.path, name)
  const data = join(scratch.path, 'data')
  cpSync(join(PROJECTS, name), dir, { recursive: true })
  mkdirSync(data, { mode: 0o755 })
  const write = (file, text) => {
    mkdirSync(dirname(join(dir, 'supabase', file)), { recursive: true })
    writeFileSync(join(dir, 'supabase', file), text)
  }
  return {
    dir,
    data,
    add: (file, sql) => write(`migrations/${file}`, sql),
    write,
    remove: scratch.remove,
  }
}

/** Runs a program; `waitForLine` resolves with the first line that matches, said before or within a minute. */
function start(file, args, options = {}) {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options, env: { ...process.env, DENO_PATH: DENO } })
  let text = ''
  const waiting = new Set()
  const more = (chunk) => {
    text += chunk
    for (const look of waiting) look()
  }
  child.stdout.on('data', more)
  child.stderr.on('data', more)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return {
    write: (line) => child.stdin.write(line),
    waitForLine: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = text.match(pattern)
          if (!found) return
          waiting.delete(look)
          clearTimeout(late)
          resolve(found)
        }
        const late = setTimeout(() => reject(new Error(`${pattern} was not said within a minute:\n${text}`)), 60_000)
        waiting.add(look)
        look()
        ended.then((code) => {
          clearTimeout(late)
          reject(new Error(`ended with ${code}:\n${text}`))
        })
      }),
    text: () => text,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const PAGES = '20260201000000_create_pages.sql'
const LINKS = '20260202000000_create_links.sql'
const READY = /ready (http:\S+)/

/** The wiki with its faulty migration corrected, so that it starts. */
function wiki() {
  const project = copyOf('wiki')
  project.add(LINKS, 'create table links (source bigint references pages);')
  return project
}

const rowsOf = (project, url, table) =>
  eventually(async () => {
    const client = createClient(url, keysOf('supabase-compat', project.data).ANON_KEY)
    return (await client.from(table).select()).data
  })

/** The command `up` on a project, watching. */
const up = (project, ...options) =>
  start(binary('supabase-compat'), ['up', '--watch', ...options, '--port', '0', '--db-port', '0', '--data-dir', project.data, project.dir])

describe('a migration that changes while the project is served', () => {
  test('is applied, or refused with its line', async () => {
    const project = wiki()
    const server = up(project)
    try {
      const [, url] = await server.waitForLine(READY)
      project.add('20260302000000_create_notes.sql', '')
      project.add('20260302000000_create_notes.sql', 'create table notes (\n  text teext\n);')
      await server.waitForLine(/Not applied: supabase\/migrations\/20260302000000_create_notes\.sql:2:\d+: type "teext" does not exist .*\n    text teext\n/)
      project.add('20260302000000_create_notes.sql', "create table notes (text text); insert into notes values ('here');")
      await server.waitForLine(/Applied migrations\/20260302000000_create_notes\.sql in \d+ ms\n/)
      assert.deepEqual(await rowsOf(project, url, 'notes'), [{ text: 'here' }])
      assert.doesNotMatch(server.text(), new RegExp(`Applied migrations/${PAGES}`))
    } finally {
      await server.stop()
      project.remove()
    }
  })

  test('applies only its difference once it was applied', async () => {
    const project = wiki()
    project.add('20260302000000_create_notes.sql', "create table notes (text text); insert into notes values ('here');")
    const server = up(project)
    try {
      const [, url] = await server.waitForLine(READY)
      project.add('20260302000000_create_notes.sql', "create table notes (text text, stars int default 3); insert into notes values ('here');")
      await server.waitForLine(/Applied migrations\/20260302000000_create_notes\.sql in \d+ ms: \d+ statements?\n/)
      assert.deepEqual(await rowsOf(project, url, 'notes'), [{ text: 'here', stars: 3 }])
      project.add('20260302000000_create_notes.sql', 'create table notes (stars int default 3);')
      await server.waitForLine(/Not applied: the change loses rows \(up --watch --force applies it\): alter table .*drop column "?text"?/i)
      assert.deepEqual(await rowsOf(project, url, 'notes'), [{ text: 'here', stars: 3 }])
    } finally {
      await server.stop()
      project.remove()
    }
  })

  test('is applied only after confirmation in a terminal', async () => {
    const project = wiki()
    const command = [binary('supabase-compat'), 'up', '--port', '0', '--db-port', '0', '--data-dir', project.data, project.dir].join(' ')
    const terminal = start('script', ['-qefc', `exec ${command}`, '/dev/null'])
    try {
      const [, url] = await terminal.waitForLine(READY)
      project.add('20260301000000_create_tags.sql', 'create table tags (name text);')
      await terminal.waitForLine(/New: 20260301000000_create_tags\.sql\. Apply\? \[y\/N\]/)
      terminal.write('no\n')
      await terminal.waitForLine(/Not applied yet .*create_tags/)
      project.add('20260301000000_create_tags.sql', "create table tags (name text); insert into tags values ('one');")
      await terminal.waitForLine(/Not applied yet[^]*New: 20260301000000_create_tags\.sql/)
      terminal.write('y\n')
      await terminal.waitForLine(/Applied migrations\/20260301000000_create_tags\.sql in \d+ ms/)
      assert.deepEqual(await rowsOf(project, url, 'tags'), [{ name: 'one' }])
    } finally {
      await terminal.stop()
      project.remove()
    }
  })
})

describe('declared schemas while the project is served', () => {
  const NOTES = 'create table notes (id bigint primary key, text text);\n'

  test('are applied by their difference, which keeps rows', async () => {
    const project = copyOf('wiki')
    rmSync(join(project.dir, 'supabase/migrations'), { recursive: true })
    project.write('schemas/10_notes.sql', NOTES)
    project.write('seeds/notes.sql', 'select 1;')
    const config = join(project.dir, 'supabase/config.toml')
    appendFileSync(config, '\n[db.seed]\nsql_paths = ["./seeds/*.sql"]\n')
    let server = up(project)
    try {
      await server.waitForLine(/Watching \S+supabase: /)
      let [, url] = await server.waitForLine(READY)
      project.write('schemas/20_views.sql', 'create view titles as select id, upper(text) as title from notes;\n')
      await server.waitForLine(/Applied schemas\/20_views\.sql in \d+ ms: \d+ statements?\n/)
      project.write('seeds/notes.sql', "insert into notes values (1, 'first');")
      await server.waitForLine(/Applied seeds\/notes\.sql in \d+ ms\n/)
      assert.deepEqual(await rowsOf(project, url, 'titles'), [{ id: 1, title: 'FIRST' }])

      project.write('schemas/10_notes.sql', `${NOTES}alter table notes add stars int not null default 3;\ncreate function loud(text) returns text language sql as $$ select upper($1) $$;\n`)
      await server.waitForLine(/Applied schemas\/10_notes\.sql in \d+ ms/)
      assert.deepEqual(await rowsOf(project, url, 'notes'), [{ id: 1, text: 'first', stars: 3 }])

      project.write('schemas/20_views.sql', 'create view titles as\nselect id, uper(text) as title from notes;\n')
      await server.waitForLine(/Not applied: supabase\/schemas\/20_views\.sql:2:\d+: function uper\(text\) does not exist.*\n    select id, uper/)
      assert.deepEqual(await rowsOf(project, url, 'titles'), [{ id: 1, title: 'FIRST' }])

      project.write('schemas/20_views.sql', 'create view titles as select id, loud(text) as title from notes;\n')
      await server.waitForLine(/Applied schemas\/20_views\.sql in \d+ ms[^]*Applied schemas\/20_views\.sql in \d+ ms/)
      project.write('schemas/10_notes.sql', NOTES.replace(', text text', '') + 'create function loud(text) returns text language sql as $$ select upper($1) $$;\n')
      await server.waitForLine(/Not applied: supabase\/schemas\/20_views\.sql:1:\d+: column "text" does not exist/)
      rmSync(join(project.dir, 'supabase/schemas/20_views.sql'))
      await server.waitForLine(/Not applied: the change loses rows \(up --watch --force applies it\): [^\n]*drop column/i)
      assert.deepEqual(await rowsOf(project, url, 'notes'), [{ id: 1, text: 'first', stars: 3 }])
      await server.stop()

      server = up(project, '--force')
      ;[, url] = await server.waitForLine(READY)
      project.write('schemas/30_more.sql', '-- nothing yet\n')
      await server.waitForLine(/Applied schemas\/30_more\.sql in \d+ ms: \d+ statements?/)
      assert.deepEqual(await rowsOf(project, url, 'notes'), [{ id: 1 }])
    } finally {
      await server.stop()
      project.remove()
    }
  })

  test('become a migration that the database has applied', async () => {
    const project = copyOf('wiki')
    project.write('schemas/pages.sql', 'create table pages (id bigint primary key);\n')
    rmSync(join(project.dir, 'supabase/migrations'), { recursive: true })
    project.add('20260101000000_create_pages.sql', 'create table pages (id bigint primary key);')
    const server = up(project)
    const done = async (...args) => {
      const options = ['--data-dir', project.data, '--workdir', project.dir]
      const { code, output } = await runCommand('supabase-compat', [...args, ...options], { env: { DENO_PATH: DENO } })
      assert.equal(code, 0, output)
      return output
    }
    try {
      await server.waitForLine(READY)
      project.write('schemas/pages.sql', '-- nothing\n')
      await server.waitForLine(/Not applied: the schemas do not declare what the migrations make .*: DROP TABLE/)
      project.write('schemas/pages.sql', 'create table pages (id bigint primary key);\n')
      project.write('schemas/notes.sql', NOTES)
      await server.waitForLine(/Applied schemas\/\S*notes\.sql.* in \d+ ms/)
      assert.match(await done('db', 'diff'), /CREATE TABLE "?public"?\."?notes"?/i)
      assert.match(await done('db', 'schema', 'declarative', 'sync', '--name', 'notes'), /Created new migration at \S+_notes\.sql/)
      await server.waitForLine(/Recorded migrations\/\d+_notes\.sql: the database has what it makes/)
      assert.match(await done('db', 'diff'), /No schema changes found/)
    } finally {
      await server.stop()
      project.remove()
    }
  })
})

describe('functions served by folder', () => {
  test('use the project’s database and need no token', async () => {
    const project = copyOf('shop')
    const inside = join(project.dir, 'supabase/functions')
    mkdirSync(join(inside, 'count'))
    const write = (text) => writeFileSync(join(inside, 'count/index.ts'), text)
    write(`Deno.serve(async () => {
      const answer = await fetch(Deno.env.get('SUPABASE_URL') + '/rest/v1/products?select=name', { headers: { apikey: Deno.env.get('SUPABASE_ANON_KEY') } })
      return new Response(String((await answer.json()).length))
    })`)
    const server = start(binary('supabase-compat'), ['functions', 'serve', '--no-verify-jwt', '--port', '0', '--db-port', '0', '--data-dir', project.data], { cwd: inside })
    try {
      const [, url] = await server.waitForLine(READY)
      const answers = (expected) =>
        eventually(async () => (await (await fetch(`${url}/functions/v1/count`)).text()) === expected)
      await answers('2')
      write("Deno.serve(() => new Response('changed'))")
      await answers('changed')
    } finally {
      await server.stop()
      project.remove()
    }
  })
})
