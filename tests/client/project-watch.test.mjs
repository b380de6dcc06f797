// What a server does while its project's folder changes: new migrations are offered, functions served by folder.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { createClient } from '../support/client.mjs'
import { DENO } from '../support/deno.mjs'
import { binary, eventually, keysOf, scratchFolder } from '../support/server.mjs'

const PROJECTS = fileURLToPath(new URL('../projects', import.meta.url))

/** A copy of a project, and a program that is read line by line while it runs. */
function copyOf(name) {
  const scratch = scratchFolder()
  const dir = join(scratch.path, name)
  const data = join(scratch.path, 'data')
  cpSync(join(PROJECTS, name), dir, { recursive: true })
  mkdirSync(data, { mode: 0o755 })
  return {
    dir,
    data,
    add(file, sql) {
      mkdirSync(join(dir, 'supabase/migrations'), { recursive: true })
      writeFileSync(join(dir, 'supabase/migrations', file), sql)
    },
    remove: scratch.remove,
  }
}

/** Runs a program; `said` resolves with the first line that matches, said before or from now on. */
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
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = text.match(pattern)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        ended.then((code) => reject(new Error(`ended with ${code}:\n${text}`)))
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

/** The wiki with its mistake mended, so that it starts. */
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

describe('a migration that appears while the project is served', () => {
  test('is named, and applied without a question where that was asked for', async () => {
    const project = wiki()
    const server = start(binary('supabase-compat'), ['up', '--watch', '--port', '0', '--db-port', '0', '--data-dir', project.data, project.dir])
    try {
      await server.said(READY)
      project.add('20260301000000_create_tags.sql', '')
      project.add('20260301000000_create_tags.sql', 'create table tags (name text);')
      await server.said(/Not applied yet \(supabase-compat db push applies them\): 20260301000000_create_tags\.sql/)
    } finally {
      await server.stop()
    }
    const again = start(binary('supabase-compat'), ['up', '--watch', '--yes', '--port', '0', '--db-port', '0', '--data-dir', project.data, project.dir])
    try {
      const [, url] = await again.said(READY)
      project.add('20260302000000_create_notes.sql', 'create table notes (text teext);')
      await again.said(/20260302000000_create_notes\.sql:1:\d+: type "teext" does not exist/)
      project.add('20260302000000_create_notes.sql', "create table notes (text text); insert into notes values ('here');")
      await again.said(/Applied: .*20260302000000/)
      assert.deepEqual(await rowsOf(project, url, 'notes'), [{ text: 'here' }])
      assert.doesNotMatch(again.text(), new RegExp(PAGES))
    } finally {
      await again.stop()
      project.remove()
    }
  })

  test('is applied on a yes in a terminal, and left on anything else', async () => {
    const project = wiki()
    const command = [binary('supabase-compat'), 'up', '--port', '0', '--db-port', '0', '--data-dir', project.data, project.dir].join(' ')
    const terminal = start('script', ['-qefc', `exec ${command}`, '/dev/null'])
    try {
      const [, url] = await terminal.said(READY)
      project.add('20260301000000_create_tags.sql', 'create table tags (name text);')
      await terminal.said(/New: 20260301000000_create_tags\.sql\. Apply\? \[y\/N\]/)
      terminal.write('no\n')
      await terminal.said(/Not applied yet .*create_tags/)
      project.add('20260301000000_create_tags.sql', "create table tags (name text); insert into tags values ('one');")
      await terminal.said(/Not applied yet[^]*New: 20260301000000_create_tags\.sql/)
      terminal.write('y\n')
      await terminal.said(/Applied: 20260301000000/)
      assert.deepEqual(await rowsOf(project, url, 'tags'), [{ name: 'one' }])
    } finally {
      await terminal.stop()
      project.remove()
    }
  })
})

describe('functions served by folder', () => {
  test('run over the project’s database, without a token where that is said', async () => {
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
      const [, url] = await server.said(READY)
      const answers = (expected) =>
        eventually(async () => (await (await fetch(`${url}/functions/v1/count`)).text()) === expected, { within: 60_000 })
      await answers('2')
      write("Deno.serve(() => new Response('changed'))")
      await answers('changed')
    } finally {
      await server.stop()
      project.remove()
    }
  })
})
