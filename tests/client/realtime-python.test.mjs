// realtime/v1 by supabase-py as published, which speaks version 1.0.0 of the protocol.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'

const PACKAGES = fileURLToPath(new URL('../../target/test-python', import.meta.url))
const SCRIPT = fileURLToPath(new URL('supabase_realtime.py', import.meta.url))

const SCHEMA = `
  create table public.figures (id int primary key, n int, note text);
  create table public.diaries (id int primary key, email text);
  alter table public.diaries enable row level security;
  create policy "own" on public.diaries for select to authenticated using (email = auth.jwt() ->> 'email');
  grant all on public.figures, public.diaries to service_role;
  grant select on public.figures, public.diaries to anon, authenticated;
  alter publication supabase_realtime add table public.figures, public.diaries;
  create policy "club is read" on realtime.messages for select to authenticated
  using (realtime.topic() = 'club');
  create policy "club is written" on realtime.messages for insert to authenticated
  with check (realtime.topic() = 'club');
`

let server
let found

before(async () => {
  server = await startServer({ name: 'supabase-compat', env: { GOTRUE_MAILER_AUTOCONFIRM: 'true' } })
  await asOwner(server, SCHEMA)
  const { ANON_KEY, SERVICE_ROLE_KEY } = server.keys
  const { stdout } = await promisify(execFile)('python3', [SCRIPT, server.url, ANON_KEY, SERVICE_ROLE_KEY], {
    env: { ...process.env, PYTHONPATH: PACKAGES },
    timeout: 240_000,
  })
  found = JSON.parse(stdout)
})
after(() => server?.stop())

test('broadcasts reach Python, from sockets and over REST', () => {
  assert.deepEqual(found.broadcasts, {
    status: 'ok',
    own: ['shout', { text: 'é', n: 1.5 }],
    other: ['shout', { text: 'é', n: 1.5 }],
    http: ['over http', { n: 3 }],
    left: [],
  })
})

test('presences of Python join, change and leave', () => {
  assert.deepEqual(found.presences, {
    tracked: ['ada', 'good'],
    changed: ['ada', 'better'],
    state: ['better'],
    untracked: ['ada', 'better', false],
    closed: ['ada', 'back'],
  })
})

test('table changes are filtered for the Python client', () => {
  assert.deepEqual(found.changes, {
    said: 'Subscribed to PostgreSQL',
    rows: [
      ['INSERT', { id: 1, n: 1 }, null, null],
      ['INSERT', { id: 2, n: 20 }, null, null],
      ['UPDATE', { id: 1, n: 2 }, { id: 1 }, null],
      ['DELETE', null, { id: 2 }, null],
    ],
    matched: { id: 2, n: 20, note: null },
    mine: { id: 2, email: 'grace@example.test' },
    more: [0, 0],
  })
})

test('private channels check the token of Python', () => {
  const { refused, ended, ...rest } = found.private_channels
  assert.deepEqual(rest, { status: 'ok', heard: { n: 1 }, still: 'ok' })
  assert.equal(refused[0], 'CHANNEL_ERROR')
  assert.match(refused[1], /You do not have permissions to read from this Channel topic: club/)
  assert.deepEqual(ended, [
    'CHANNEL_ERROR',
    'You no longer have permission to read from this Channel topic: club',
    'CLOSED',
  ])
})

test('Python joins again after its connection was lost', () => {
  assert.deepEqual(found.reconnects, { states: ['CHANNEL_ERROR', 'SUBSCRIBED'], heard: { n: 1 } })
})
