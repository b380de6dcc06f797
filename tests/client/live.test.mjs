// The site's messages over realtime/v1, received by supabase-js as published: everybody gets figures, only administrators
// get the moderation queue, and clients cannot send.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import WebSocket from 'ws'

import { solveCaptcha } from '../support/captcha.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'

const PRIVATE = { config: { private: true, broadcast: { ack: true } } }

let server
const open = []

before(async () => {
  server = await startServer({
    args: ['--demo'],
    env: { CAPTCHA_COST: '50', COMPAT_RATE_LIMITS: 'false', STATUS_RATE: '0' },
  })
})
after(async () => {
  for (const one of open) await one.realtime.disconnect()
  await server?.stop()
})

async function client(email) {
  const made = createClient(server.url, server.keys.ANON_KEY, { realtime: { transport: WebSocket } })
  open.push(made)
  if (email) {
    const { error } = await made.auth.signInWithPassword({ email, password: 'palmares-demo' })
    assert.equal(error, null)
  }
  await made.realtime.setAuth()
  return made
}

/** Joins a topic; returns the join's result and the first message. */
async function joined(supabase, topic) {
  const channel = supabase.channel(topic, PRIVATE)
  const message = new Promise((resolve) => channel.on('broadcast', { event: '*' }, resolve))
  const status = await new Promise((resolve) => channel.subscribe(resolve))
  return { channel, status, message }
}

const vote = async (id) =>
  fetch(`${server.url}/functions/v1/vote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', apikey: server.keys.ANON_KEY },
    body: JSON.stringify({ serverId: id, nickname: 'Nova_42', captcha: await solveCaptcha(server.url, id) }),
  })

test('a visitor receives votes without their voters', async () => {
  const [{ id, monthly_votes: before }] = await asOwner(
    server,
    `select t.server_id as id, t.monthly_votes from public.server_standings t join public.games g on g.id = t.game_id
     where t.is_listed and g.nickname_pattern is null order by t.server_id limit 1`,
  )
  const visitor = await client()
  const [ranking, ownTopic] = [await joined(visitor, 'ranking'), await joined(visitor, `server:${id}`)]
  assert.deepEqual([ranking.status, ownTopic.status], ['SUBSCRIBED', 'SUBSCRIBED'])
  assert.equal((await vote(id)).status, 200)
  for (const { message } of [ranking, ownTopic]) {
    const { event, payload } = await message
    assert.equal(event, 'standings')
    const standing = payload.servers.find((one) => one.id === id)
    assert.deepEqual([standing.votes_before, standing.monthly_votes], [before, before + 1])
    assert.doesNotMatch(JSON.stringify(payload), /Nova|hash|nick|user/i)
  }
})

test('only an administrator may join the queue’s topic', async () => {
  for (const email of [undefined, 'player@palmares.test']) {
    const { status } = await joined(await client(email), 'staff:queue')
    assert.equal(status, 'CHANNEL_ERROR', email)
  }
  const { status, message } = await joined(await client('admin@palmares.test'), 'staff:queue')
  assert.equal(status, 'SUBSCRIBED')
  await asOwner(
    server,
    `insert into public.reports (server_id, reporter_id, reason)
     select s.id, p.id, 'spam' from public.servers s, public.profiles p
     where p.username = 'Pablo' and not exists (
       select from public.moderation_cases c where c.subject_id = s.id and c.decision is null)
     order by s.id limit 1`,
  )
  const { event, payload } = await message
  const { id, ...fields } = payload
  assert.deepEqual([event, fields, typeof id], ['queue', {}, 'string'])
})

test('clients cannot send to the pages’ topics', async () => {
  const hearer = await joined(await client(), 'ranking')
  for (const email of [undefined, 'player@palmares.test', 'admin@palmares.test']) {
    const { channel } = await joined(await client(email), 'ranking')
    // The server drops the message silently, like the original.
    void channel.send({ type: 'broadcast', event: 'standings', payload: { forged: true } })
    await assert.rejects(channel.httpSend('standings', { forged: true }), /Unauthorized/)
  }
  const [{ id }] = await asOwner(
    server,
    `select t.server_id as id from public.server_standings t join public.games g on g.id = t.game_id
     where t.is_listed and g.nickname_pattern is null order by t.server_id desc limit 1`,
  )
  assert.equal((await vote(id)).status, 200)
  const { payload } = await hearer.message
  assert.ok(payload.servers.some((one) => one.id === id), 'the first message is the site’s')
})
