// A ticket of a server's own site from its request to the vote, and the vote's receipt, which a published library (jose)
// verifies offline against the keys of the site.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'

import { solveCaptcha } from '../support/captcha.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'

let server

before(async () => {
  server = await startServer({ args: ['--demo'], env: { CAPTCHA_COST: '50' } })
})
after(() => server?.stop())

test('vote spends its ticket and signs a receipt', async () => {
  const client = createClient(server.url, server.keys.ANON_KEY)
  const { data: listed } = await client.from('servers_public').select('id').eq('game_slug', 'minecraft').limit(1).single()
  const [{ token }] = await asOwner(
    server,
    `select token from public.server_api_tokens where server_id = '${listed.id}'`,
  )
  const tickets = `${server.url}/api/v1/servers/${listed.id}/tickets`
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(tickets, { method: 'POST', headers, body: JSON.stringify({ reference: 'member-17' }) })
  assert.equal(response.status, 201)
  const { data: handed } = await response.json()
  assert.equal(new URL(handed.url).searchParams.get('ticket'), handed.ticket)

  const captcha = await solveCaptcha(server.url, listed.id)
  const body = { serverId: listed.id, nickname: 'Steve_42', captcha, ticket: handed.ticket }
  const { data: voted, error } = await client.functions.invoke('vote', { body })
  assert.equal(error, null)

  const { data: known } = await (await fetch(`${tickets}/${handed.ticket}`, { headers })).json()
  assert.equal(known.status, 'voted')
  assert.equal(known.reference, 'member-17')
  assert.deepEqual(known.vote, { id: voted.data.voteId, username: 'Steve_42', voted_at: voted.data.votedAt })

  const keys = createRemoteJWKSet(new URL(`${server.url}/api/v1/receipts/jwks.json`))
  const { payload, protectedHeader } = await jwtVerify(voted.data.receipt, keys, { audience: listed.id })
  assert.equal(protectedHeader.alg, 'ES256')
  assert.equal(payload.jti, voted.data.voteId)
  assert.equal(payload.nickname, 'Steve_42')
  assert.equal(payload.ticket, handed.ticket)
  const [head, , signature] = voted.data.receipt.split('.')
  const forged = Buffer.from(JSON.stringify({ ...payload, nickname: 'Alex' })).toString('base64url')
  await assert.rejects(jwtVerify(`${head}.${forged}.${signature}`, keys), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' })
})
