// Reminders that a vote is possible again, through a published push service (web-push-testing): it accepts a message only
// if the token is signed for it and the browser's encrypted payload can be decrypted.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PushApiModel } from 'web-push-testing/src/PushApiModel.js'
import WebPushTestingServer from 'web-push-testing/src/server.js'

import { solveCaptcha } from '../support/captcha.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, freePort, startServer } from '../support/server.mjs'

let server
let service
let push

async function posted(path, body) {
  const answer = await fetch(push + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()).data
}

const messagesFor = async (clientHash) => (await posted('/get-notifications', { clientHash })).messages

async function reminder(method, body) {
  const { data, error } = await createClient(server.url, server.keys.ANON_KEY).functions.invoke('vote-reminder', {
    method,
    body,
  })
  assert.equal(error, null)
  return data
}

before(async () => {
  const port = await freePort()
  push = `http://localhost:${port}`
  service = new WebPushTestingServer(new PushApiModel(), port)
  service.startServer()
  server = await startServer({
    args: ['--demo'],
    env: { CAPTCHA_COST: '50', OUTGOING_ALLOWED_HOSTS: `localhost:${port}` },
  })
})
after(async () => {
  await server?.stop()
  service?._server.close()
})

/** A guest who votes for the server at a rank of its game, with the push subscription of a browser. */
async function voter(place) {
  const client = createClient(server.url, server.keys.ANON_KEY)
  const ranked = client.from('servers_public').select('id, slug, name').eq('game_slug', 'minecraft')
  const { data } = await ranked.order('monthly_votes', { ascending: false }).order('id').limit(place)
  const listed = data.at(-1)
  const captcha = await solveCaptcha(server.url, listed.id)
  const body = { serverId: listed.id, nickname: 'Steve_42', captcha }
  const { error } = await client.functions.invoke('vote', { body })
  assert.equal(error, null)
  const { publicKey } = await reminder('GET')
  const { clientHash, ...subscription } = await posted('/subscribe', {
    userVisibleOnly: 'true',
    applicationServerKey: publicKey,
  })
  return { listed, clientHash, subscription }
}

test('vote reminder is pushed once to its browser', async () => {
  const { listed, clientHash, subscription } = await voter(1)
  const order = { subscription, serverId: listed.id, language: 'en' }
  const { remindAt } = await reminder('POST', order)
  assert.ok(remindAt > Date.now() / 1000 + 7000, 'two hours ahead')
  await asOwner(server, 'update public.vote_reminders set due_at = now()')
  const [message] = await eventually(async () => {
    const messages = await messagesFor(clientHash)
    return messages.length > 0 && messages
  })
  assert.deepEqual(JSON.parse(message), {
    title: 'You can vote again',
    body: listed.name,
    url: `/en/server/${listed.slug}?vote=1`,
    stop: 'Stop reminding me',
    lang: 'en',
  })
  const left = () => asOwner(server, 'select count(*)::int as left from public.vote_reminders')
  assert.deepEqual(await eventually(async () => ((await left())[0].left === 0 ? left() : false)), [{ left: 0 }])
  assert.equal((await messagesFor(clientHash)).length, 1)

  // A second reminder for the same browser, whose subscription has expired meanwhile.
  await asOwner(
    server,
    `insert into public.vote_reminders (subscription_id, server_id, due_at)
     select id, '${listed.id}', now() from public.push_subscriptions`,
  )
  await fetch(`${push}/expire-subscription/${clientHash}`, { method: 'POST' })
  const known = async () => (await asOwner(server, 'select from public.push_subscriptions')).length
  assert.equal(await eventually(async () => (await known()) === 0), true)
})

test('a cancelled reminder is not sent', async () => {
  const { listed, subscription } = await voter(2)
  await reminder('POST', { subscription, serverId: listed.id, language: 'fr' })
  const { endpoint } = subscription
  assert.deepEqual(await reminder('DELETE', { endpoint, serverId: listed.id }), { ended: 1 })
  assert.deepEqual(await reminder('DELETE', { endpoint }), { ended: 0 })
  assert.deepEqual(await asOwner(server, 'select from public.push_subscriptions'), [])
})
