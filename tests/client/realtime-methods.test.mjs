// Every public method of the published realtime-js: this file calls those that no other test needs.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'

import { RealtimeChannel, RealtimeClient, RealtimePostgresFilterBuilder, RealtimePresence } from '@supabase/realtime-js'
import WebSocket from 'ws'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'

let server
const open = []

function client(realtime = {}) {
  const made = createClient(server.url, server.keys.ANON_KEY, { realtime: { transport: WebSocket, ...realtime } })
  open.push(made)
  return made
}

const subscribed = (channel) =>
  new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel)
      else if (status !== 'CLOSED') reject(error ?? new Error(status))
    })
  })

before(async () => {
  server = await startServer({ name: 'supabase-compat', env: { REALTIME_BROADCAST_PERSISTENCE: 'true' } })
  await asOwner(
    server,
    `create policy "hall is read" on realtime.messages for select to anon using (realtime.topic() = 'hall');
    create policy "hall is written" on realtime.messages for insert to anon
    with check (realtime.topic() = 'hall' or (realtime.topic() = 'heard' and extension = 'broadcast'));
    create policy "heard is read" on realtime.messages for select to anon using (realtime.topic() = 'heard');`,
  )
})
after(async () => {
  for (const one of open) await one.realtime.disconnect()
  await server?.stop()
})

test('every public method is called by a test', () => {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder).filter((name) => /^realtime.*\.test\.mjs$/.test(name))
  const tests = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n').replaceAll('console.log(', '')
  // `add` is private to the builder, which is turned into a text by `build` and by string interpolation.
  const passedOver = ['constructor', 'add', 'toString']
  for (const one of [RealtimeClient, RealtimeChannel, RealtimePresence, RealtimePostgresFilterBuilder]) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(one.prototype))
    const methods = members.filter(([name, { value }]) => typeof value === 'function' && !name.startsWith('_'))
    const names = methods.map(([name]) => name).filter((name) => !passedOver.includes(name))
    const missing = names.filter((name) => !new RegExp(`\\.${name}\\(`).test(tests))
    assert.deepEqual(missing, [], `${one.name}: no test calls them`)
  }
})

test('client reports its endpoint and connection state', async () => {
  const lines = []
  const { realtime } = client({ logger: (kind, text) => lines.push([kind, text]) })
  assert.ok(realtime.hasLogger())
  realtime.log('mine', 'hello')
  assert.deepEqual(lines.at(-1), ['mine', 'hello'])
  const url = new URL(realtime.endpointURL())
  assert.deepEqual([url.pathname, url.searchParams.get('vsn')], ['/realtime/v1/websocket', '2.0.0'])
  realtime.connect()
  assert.ok(realtime.isConnecting())
  await eventually(() => realtime.isConnected())
  const over = realtime.disconnect()
  assert.ok(realtime.isDisconnecting())
  assert.equal(await over, 'ok')
  assert.equal(realtime.connectionState(), 'closed')
})

test('a message sent by hand is delivered', async () => {
  const { realtime } = client()
  const channel = await subscribed(realtime.channel('pushed'))
  const message = { topic: channel.topic, event: 'broadcast', ref: 'own', join_ref: channel.joinPush.ref }
  const broadcast = new Promise((resolve) => {
    const other = client().channel('pushed')
    other.on('broadcast', { event: 'e' }, resolve)
    void subscribed(other).then(() => realtime.push({ ...message, payload: { type: 'broadcast', event: 'e', payload: { n: 1 } } }))
  })
  assert.deepEqual((await broadcast).payload, { n: 1 })
})

test('a channel is joined anew with another payload', async () => {
  const { realtime } = client()
  const channel = await subscribed(realtime.channel('anew'))
  const broadcast = new Promise((resolve) => channel.on('broadcast', { event: 'own' }, resolve))
  channel.updateJoinPayload({ config: { broadcast: { self: true, ack: true } } })
  await realtime.disconnect()
  realtime.connect()
  await eventually(() => realtime.isConnected() && channel.state === 'joined')
  assert.equal(await channel.send({ type: 'broadcast', event: 'own', payload: { n: 2 } }), 'ok')
  assert.deepEqual((await broadcast).payload, { n: 2 })
})

test('a channel takes the listeners of another one', async () => {
  const messages = []
  const first = client().channel('copied')
  first.on('broadcast', { event: 'e' }, ({ payload }) => messages.push(payload.n))
  const second = client().channel('copied')
  second.copyBindings(first)
  await subscribed(second)
  assert.deepEqual(await client().channel('copied').httpSend('e', { n: 3 }), { success: true })
  await eventually(() => messages.length === 1)
  assert.throws(() => second.copyBindings(first), /joined channel/)
})

test('a channel that is torn down stays closed', async () => {
  const { realtime } = client()
  const channel = await subscribed(realtime.channel('torn'))
  assert.equal(await channel.unsubscribe(), 'ok')
  channel.teardown()
  assert.equal(channel.state, 'closed')
  assert.deepEqual(realtime.getChannels(), [])
})

test('filters are built as the server reads them', async () => {
  await asOwner(
    server,
    `create table public.filtered (id int primary key);
    grant select on public.filtered to anon;
    alter publication supabase_realtime add table public.filtered;`,
  )
  const filter = new RealtimePostgresFilterBuilder().gt('id', 1).lt('id', 3)
  assert.equal(filter.build(), 'id=gt.1,id=lt.3')
  const messages = []
  const channel = client().channel('filtered')
  channel.on('postgres_changes', { event: '*', schema: 'public', table: 'filtered', filter }, (change) => messages.push(change.new.id))
  await subscribed(channel)
  await asOwner(server, 'insert into public.filtered values (1), (2), (3)')
  await eventually(() => messages.length > 0)
  assert.deepEqual(messages, [2])
})

test('a stored broadcast is replayed by its channel', async () => {
  const config = { private: true, broadcast: { ack: true } }
  const sender = await subscribed(client().channel('hall', { config }))
  assert.equal(await sender.send({ type: 'broadcast', event: 'e', payload: { n: 4 }, persist: { ttl: 60 } }), 'ok')
  assert.deepEqual(await sender.httpSend('e', { n: 5 }, { persist: true }), { success: true })
  assert.deepEqual(await sender.httpSend('e', { n: 6 }), { success: true })
  const past = []
  const late = client().channel('hall', { config: { private: true, broadcast: { replay: { since: Date.now() - 600_000 } } } })
  late.on('broadcast', { event: 'e' }, ({ payload, meta }) => past.push([payload.n, meta.replayed]))
  await subscribed(late)
  await eventually(() => past.length === 2)
  assert.deepEqual(past, [[4, true], [5, true]])
  const channel = await subscribed(client().channel('heard', { config }))
  assert.equal(await channel.send({ type: 'broadcast', event: 'e', payload: {}, persist: true }), 'unauthorized')
})
