// realtime/v1 by supabase-js as published: channels, broadcasts, presence, in both versions of the protocol.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { RealtimeClient } from '@supabase/realtime-js'
import WebSocket from 'ws'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'

const POLICIES = `
  create policy "club is read" on realtime.messages for select to authenticated
  using (realtime.topic() like 'club%');
  create policy "club is written" on realtime.messages for insert to authenticated
  with check (realtime.topic() like 'club%');
`

let server
const open = []

/** A client of one version of the protocol. */
function client({ vsn = '2.0.0', key = server.keys.ANON_KEY, ...options } = {}) {
  const made = createClient(server.url, key, { ...options, realtime: { vsn, transport: WebSocket } })
  open.push(made)
  return made
}

/** The channel, once it is subscribed. */
function subscribed(channel) {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel)
      else if (status !== 'CLOSED') reject(error ?? new Error(status))
    })
  })
}

/** The first call of a listener. */
function first(listen) {
  return new Promise((resolve) => listen(resolve))
}

before(async () => {
  server = await startServer({ name: 'supabase-compat', env: { GOTRUE_MAILER_AUTOCONFIRM: 'true' } })
  await asOwner(server, POLICIES)
})
after(async () => {
  for (const one of open) await one.realtime.disconnect()
  await server?.stop()
})

for (const vsn of ['1.0.0', '2.0.0']) {
  describe(`version ${vsn}`, () => {
    test('broadcast reaches others, and self on request', async () => {
      const topic = `room ${vsn} é`
      const one = await subscribed(client({ vsn }).channel(topic, { config: { broadcast: { ack: true, self: true } } }))
      const two = client({ vsn }).channel(topic)
      const broadcast = first((resolve) => two.on('broadcast', { event: 'shout' }, resolve))
      await subscribed(two)
      const ownBroadcast = first((resolve) => one.on('broadcast', { event: '*' }, resolve))
      assert.equal(await one.send({ type: 'broadcast', event: 'shout', payload: { text: 'é', n: 1.5 } }), 'ok')
      assert.deepEqual((await broadcast).payload, { text: 'é', n: 1.5 })
      assert.equal((await ownBroadcast).event, 'shout')
    })

    test('presences come, change and go', async () => {
      const topic = `presence ${vsn}`
      const one = client({ vsn }).channel(topic, { config: { presence: { key: 'ada' } } })
      const two = client({ vsn }).channel(topic, { config: { presence: { key: 'bob' } } })
      const joins = []
      const leaves = []
      two.on('presence', { event: 'join' }, ({ key }) => joins.push(key))
      two.on('presence', { event: 'leave' }, ({ key }) => leaves.push(key))
      one.on('presence', { event: 'sync' }, () => {})
      await subscribed(one)
      await subscribed(two)
      assert.equal(await one.track({ mood: 'good' }), 'ok')
      await eventually(() => two.presenceState().ada?.[0]?.mood === 'good')
      assert.equal(await two.track({ mood: 'fine' }), 'ok')
      await eventually(() => one.presenceState().bob?.length === 1)
      assert.equal(await one.track({ mood: 'better' }), 'ok')
      await eventually(() => two.presenceState().ada?.[0]?.mood === 'better')
      assert.equal(await one.untrack(), 'ok')
      await eventually(() => !two.presenceState().ada)
      assert.ok(joins.includes('ada') && leaves.includes('ada'))
    })

    test('channels are removed singly or all together', async () => {
      const supabase = client({ vsn })
      const one = await subscribed(supabase.channel('one'))
      await subscribed(supabase.channel('two'))
      assert.deepEqual(supabase.getChannels().map(({ topic }) => topic), ['realtime:one', 'realtime:two'])
      assert.equal(supabase.realtime.connectionState(), 'open')
      assert.ok(supabase.realtime.isConnected())
      assert.equal(await one.unsubscribe(), 'ok')
      const three = await subscribed(supabase.channel('three'))
      assert.equal(await supabase.removeChannel(three), 'ok')
      assert.deepEqual(await supabase.removeAllChannels(), ['ok'])
      assert.deepEqual(supabase.getChannels(), [])
    })

    test('left topic can be joined again', async () => {
      const supabase = client({ vsn })
      const one = await subscribed(supabase.channel('again'))
      assert.equal(await supabase.removeChannel(one), 'ok')
      await subscribed(supabase.channel('again'))
    })

    test('heartbeats are answered', async () => {
      const supabase = client({ vsn })
      await subscribed(supabase.channel('heart'))
      const beat = first((resolve) => {
        supabase.realtime.onHeartbeat((status) => status === 'ok' && resolve(status))
      })
      await supabase.realtime.sendHeartbeat()
      assert.equal(await beat, 'ok')
    })
  })
}

test('bytes arrive as bytes', async () => {
  const one = await subscribed(client().channel('bytes'))
  const two = client().channel('bytes')
  const broadcast = first((resolve) => two.on('broadcast', { event: 'raw' }, resolve))
  await subscribed(two)
  await one.send({ type: 'broadcast', event: 'raw', payload: new Uint8Array([0, 255, 7]).buffer })
  assert.deepEqual([...new Uint8Array((await broadcast).payload)], [0, 255, 7])
})

test('both versions receive each other’s broadcasts', async () => {
  const one = client({ vsn: '1.0.0' }).channel('mixed')
  const two = client({ vsn: '2.0.0' }).channel('mixed')
  const atOne = first((resolve) => one.on('broadcast', { event: 'a' }, resolve))
  const atTwo = first((resolve) => two.on('broadcast', { event: 'b' }, resolve))
  await subscribed(one)
  await subscribed(two)
  await two.send({ type: 'broadcast', event: 'a', payload: { from: 2 } })
  await one.send({ type: 'broadcast', event: 'b', payload: { from: 1 } })
  assert.deepEqual((await atOne).payload, { from: 2 })
  assert.deepEqual((await atTwo).payload, { from: 1 })
})

test('broadcasts over REST reach subscribers', async () => {
  const two = client().channel('rest')
  const events = []
  two.on('broadcast', { event: '*' }, (message) => events.push(message))
  await subscribed(two)
  const supabase = client()
  const one = supabase.channel('rest')
  assert.deepEqual(await one.httpSend('single', { n: 1 }), { success: true })
  assert.deepEqual(await one.httpSend('bytes', new Uint8Array([1, 2])), { success: true })
  assert.equal(await one.send({ type: 'broadcast', event: 'batch', payload: { n: 2 } }), 'ok')
  await eventually(() => events.length === 3)
  assert.deepEqual(events[0].payload, { n: 1 })
  assert.deepEqual([...new Uint8Array(events[1].payload)], [1, 2])
  assert.deepEqual([events[2].event, events[2].payload], ['batch', { n: 2 }])
})

describe('private channels', () => {
  const person = async (email) => {
    const supabase = client()
    const { data, error } = await supabase.auth.signUp({ email, password: 'correct horse battery' })
    assert.equal(error, null)
    await supabase.realtime.setAuth()
    return { supabase, token: data.session.access_token }
  }

  test('are joined only with a policy’s permission', async () => {
    const config = { config: { private: true, broadcast: { ack: true } } }
    const { supabase } = await person('ada@example.test')
    const ada = await subscribed(supabase.channel('club', config))
    assert.equal(await ada.send({ type: 'broadcast', event: 'e', payload: {} }), 'ok')
    const otherClient = client()
    const reason = await first((resolve) => {
      otherClient.channel('club', config).subscribe((status, error) => status === 'CHANNEL_ERROR' && resolve(error))
    })
    assert.match(String(reason), /You do not have permissions to read from this Channel topic: club/)
    await otherClient.removeAllChannels()
  })

  test('close when the token loses read permission', async () => {
    const { supabase } = await person('eve@example.test')
    const channel = await subscribed(supabase.channel('club', { config: { private: true } }))
    const closed = first((resolve) => channel.on('system', {}, resolve))
    await supabase.realtime.setAuth(server.keys.ANON_KEY)
    assert.match((await closed).message, /no longer have permission to read from this Channel topic: club/)
  })

  test('accept REST broadcasts only with a policy’s permission', async () => {
    const { supabase } = await person('cid@example.test')
    const privateChannel = supabase.channel('club', { config: { private: true } })
    const message = first((resolve) => privateChannel.on('broadcast', { event: 'news' }, resolve))
    await subscribed(privateChannel)
    const service = client({ key: server.keys.SERVICE_ROLE_KEY })
    await service.channel('club', { config: { private: true } }).httpSend('news', { n: 1 })
    assert.deepEqual((await message).payload, { n: 1 })
    const otherChannel = client().channel('club', { config: { private: true } })
    await assert.rejects(otherChannel.httpSend('news', {}), /Unauthorized/)
  })
})

test('opaque keys open sockets', async () => {
  const realtime = new RealtimeClient(`${server.url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: server.keys.SUPABASE_PUBLISHABLE_KEY },
    transport: WebSocket,
  })
  await subscribed(realtime.channel('opaque'))
  assert.deepEqual(await realtime.removeAllChannels(), ['ok'])
  await realtime.disconnect()
})

test('server stop closes sockets with code 1001', async () => {
  const stopping = await startServer({ name: 'supabase-compat' })
  const socket = new WebSocket(
    `${stopping.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${stopping.keys.ANON_KEY}`,
  )
  await first((resolve) => socket.on('open', resolve))
  const closed = first((resolve) => socket.on('close', (code, reason) => resolve([code, String(reason)])))
  await stopping.stop()
  assert.deepEqual(await closed, [1001, 'Server is shutting down'])
})
