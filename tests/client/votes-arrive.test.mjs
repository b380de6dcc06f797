// A vote from the button to the game server: Votifier in both versions and signed webhooks. Published clients
// (aiovotifier, minecraft-server-util) check the test listener, which then checks our client; signatures are checked
// by the published library of Standard Webhooks.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import addFormats from 'ajv-formats'
import Ajv2020 from 'ajv/dist/2020.js'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { sendVote } from 'minecraft-server-util'
import { Webhook } from 'standardwebhooks'

import { solveCaptcha } from '../support/captcha.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startNames } from '../support/names.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { startVotifier } from '../support/votifier.mjs'

const PASSWORD = 'palmares-demo'
const path = (name) => fileURLToPath(new URL(name, import.meta.url))

let server
let names
let owner
/** Servers of the demonstration's owner whose players may have any nickname. */
let listed

before(async () => {
  names = await startNames({ 'votes.terre.invalid': { target: 'localhost', port: 1 } })
  server = await startServer({
    args: ['--demo'],
    env: {
      CAPTCHA_COST: '50',
      COMPAT_RATE_LIMITS: 'false',
      OUTGOING_ALLOWED_HOSTS: '127.0.0.1,localhost',
      OUTGOING_DNS_SERVERS: names.at,
      STATUS_RATE: '0',
    },
  })
  owner = createClient(server.url, server.keys.ANON_KEY)
  const { data, error } = await owner.auth.signInWithPassword({ email: 'owner@palmares.test', password: PASSWORD })
  assert.equal(error, null)
  // In the demonstration one account owns all the listings that the tests need.
  await asOwner(server, 'delete from public.votifier_configs; delete from public.webhooks')
  const rows = await asOwner(
    server,
    `update public.servers set owner_id = '${data.user.id}' where id in (
       select t.server_id from public.server_standings t join public.games g on g.id = t.game_id
       where t.is_listed and g.nickname_pattern is null order by t.server_id limit 4)
     returning id`,
  )
  listed = rows.map(({ id }) => id)
})
after(async () => {
  await server?.stop()
  await names?.stop()
})

/** Casts a vote; returns the answer to the voter. */
async function vote(serverId, nickname) {
  const captcha = await solveCaptcha(server.url, serverId)
  const { data, error } = await owner.functions.invoke('vote', { body: { serverId, nickname, captcha } })
  assert.equal(error, null, JSON.stringify(await error?.context?.json?.()))
  return data.data
}

/** The delivery states that the voter sees, once none is pending. */
const arrived = (voteId) =>
  eventually(async () => {
    const { data } = await owner.rpc('get_vote_arrival', { p_vote_id: voteId })
    return data.every(({ status }) => status !== 'pending') && data
  })

async function listenTo(serverId, listener, more) {
  const { error } = await owner
    .from('votifier_configs')
    .insert({ server_id: serverId, host: '127.0.0.1', port: listener.port, is_active: true, ...more })
  assert.equal(error, null)
}

async function byAiovotifier(listener, secret, nickname) {
  const { stdout } = await promisify(execFile)('python3', [path('votifier.py'), listener.port, secret, nickname].map(String), {
    env: { ...process.env, PYTHONPATH: path('../../target/test-python') },
  })
  return stdout.trim()
}

test('test listener validates votes of published clients', async () => {
  const [second, first] = await Promise.all([startVotifier(), startVotifier({ greeting: '1' })])
  try {
    assert.equal(await byAiovotifier(second, second.token, 'Ada'), 'ok')
    await sendVote('127.0.0.1', second.port, { token: second.token, username: 'Bob', serviceName: 'foreign', address: '203.0.113.9' })
    assert.match(await byAiovotifier(second, 'another', 'Eve'), /Signature is not valid/)
    await assert.rejects(sendVote('127.0.0.1', second.port, { token: 'another', username: 'Eve' }))
    assert.match(await byAiovotifier(second, second.token, 'a'.repeat(17)), /Username too long/)
    assert.equal(await byAiovotifier(second, second.publicKey, 'Key'), 'ok')
    assert.deepEqual(
      second.votes().map(({ protocol, username, service }) => [protocol, username, service]),
      [[2, 'Ada', 'foreign'], [2, 'Bob', 'foreign'], [1, 'Key', 'foreign']],
    )
    assert.equal(await byAiovotifier(first, first.publicKey, 'Old'), 'ok')
    await eventually(() => first.votes().length === 1)
    assert.deepEqual(first.votes(), [{ protocol: 1, service: 'foreign', username: 'Old', address: '203.0.113.9' }])
  } finally {
    await Promise.all([second.stop(), first.stop()])
  }
})

test('listener’s greeting selects the Votifier version', async () => {
  const [second, first] = await Promise.all([startVotifier(), startVotifier({ greeting: '1.9' })])
  try {
    await listenTo(listed[0], second, { protocol: 'auto', token: second.token })
    await listenTo(listed[1], first, { protocol: 'auto', public_key: first.publicKey })
    const [confirmed] = await arrived((await vote(listed[0], 'Ada_2')).voteId)
    assert.deepEqual(confirmed, { channel: 'votifier', status: 'delivered', is_confirmed: true })
    const [sent] = await arrived((await vote(listed[1], 'Ada_1')).voteId)
    assert.deepEqual(sent, { channel: 'votifier', status: 'delivered', is_confirmed: false })
    await eventually(() => first.votes().length === 1)
    for (const [listener, username, protocol] of [[second, 'Ada_2', 2], [first, 'Ada_1', 1]]) {
      const [received] = listener.votes()
      assert.deepEqual([received.username, received.protocol], [username, protocol])
      assert.ok(received.service, 'plugins look up what they give by the name of the site')
    }
  } finally {
    await Promise.all([second.stop(), first.stop()])
  }
})

test('a test vote names a listener’s fault', async () => {
  const listener = await startVotifier()
  const trial = async (change) => {
    const { error } = await owner.from('votifier_configs').update(change).eq('server_id', listed[2])
    assert.equal(error, null)
    const tried = await owner.functions.invoke('votifier-test', { body: { serverId: listed[2] } })
    return tried.data.data
  }
  try {
    await listenTo(listed[2], listener, { protocol: 'auto', token: listener.token })
    assert.deepEqual(await trial({ token: listener.token }).then((result) => [result.isDelivered, result.isConfirmed]), [true, true])
    assert.equal((await trial({ token: 'another token' })).fault, 'wrong_token')
    assert.equal((await trial({ token: listener.token, port: 1 })).fault, 'refused')
    assert.equal((await trial({ host: 'no.such.host.invalid' })).fault, 'name_not_found')
    const named = await trial({ host: 'votes.terre.invalid', port: listener.port })
    assert.equal(named.isConfirmed, true, 'a name that only says where its game is played')
    assert.equal((await trial({ host: '10.0.0.1' })).fault, 'not_public')
    const game = createServer().listen(0, '127.0.0.1')
    await once(game, 'listening')
    const { fault } = await trial({ host: '127.0.0.1', port: game.address().port })
    assert.ok(['no_greeting', 'closed', 'not_votifier', 'timed_out'].includes(fault), fault)
    game.close()
  } finally {
    await listener.stop()
  }
})

test('webhook retry keeps its id and signature', async () => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  const requests = []
  let status = 503
  const receiver = createServer(async (request, answer) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ headers: request.headers, body })
    answer.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    const url = `http://127.0.0.1:${receiver.address().port}/votes`
    const row = { server_id: listed[3], url, secret, is_active: true }
    // Only administrators may name hosts in the operator's own network.
    const { error: refusal } = await owner.from('webhooks').insert(row)
    assert.deepEqual([refusal.code, refusal.details], ['23514', 'private_address'])
    const { error } = await createClient(server.url, server.keys.SERVICE_ROLE_KEY).from('webhooks').insert(row)
    assert.equal(error, null)
    const voted = await vote(listed[3], 'Ada')
    const { voteId } = voted
    await eventually(() => requests.length === 1)
    status = 204
    // The retry would come by itself later; the test makes it due at once.
    await eventually(async () => (await asOwner(server, `select from public.deliveries where vote_id = '${voteId}' and attempts = 1`)).length === 1)
    await asOwner(
      server,
      `update public.deliveries set next_attempt_at = now() where vote_id = '${voteId}';
       update public.delivery_lanes set due_at = now() where server_id = '${listed[3]}';
       notify "public.delivery_lanes"`,
    )
    await eventually(() => requests.length === 2)
    const [refused, taken] = requests.map(({ headers, body }) => ({ message: new Webhook(secret).verify(body, headers), headers }))
    assert.equal(refused.headers['webhook-id'], taken.headers['webhook-id'])
    assert.equal(taken.headers['webhook-event'], 'vote.created')
    assert.deepEqual([taken.message.vote.id, taken.message.vote.nickname], [voteId, 'Ada'])
    // The receipt can be verified without the secret, and equals the voter's receipt.
    const keys = createRemoteJWKSet(new URL(`${server.url}/api/v1/receipts/jwks.json`))
    for (const { message } of [refused, taken]) {
      const { payload } = await jwtVerify(message.receipt, keys, { audience: listed[3], algorithms: ['ES256'] })
      assert.deepEqual(payload, decodeJwt(voted.receipt))
    }
    const described = await (await fetch(`${server.url}/api/openapi.json`)).json()
    const ajv = addFormats(new Ajv2020({ strict: false })).addSchema(described, 'described')
    const holds = ajv.compile({ $ref: 'described#/components/schemas/VoteCreated' })
    assert.ok(holds(taken.message), JSON.stringify(holds.errors))
    assert.equal(holds({ ...taken.message, vote: {} }), false)
    assert.throws(() => new Webhook(`whsec_${randomBytes(24).toString('base64')}`).verify(requests[1].body, requests[1].headers))
    assert.deepEqual(await arrived(voteId), [{ channel: 'webhook', status: 'delivered', is_confirmed: true }])

    // Both secrets sign while one replaces the other.
    const next = `whsec_${randomBytes(24).toString('base64')}`
    await owner.from('webhooks').update({ secret: next }).eq('server_id', listed[3])
    const tried = await owner.functions.invoke('webhook-test', { body: { serverId: listed[3] } })
    assert.deepEqual([tried.data.data.isDelivered, tried.data.data.status], [true, 204])
    for (const live of [secret, next]) assert.ok(new Webhook(live).verify(requests[2].body, requests[2].headers))
    assert.equal(requests[2].headers['webhook-event'], 'webhook.test')
    assert.equal('receipt' in JSON.parse(requests[2].body), false, 'nobody voted')
  } finally {
    receiver.close()
  }
})
