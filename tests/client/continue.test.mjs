// Clients that wait before they send a body: `Expect: 100-continue`, as curl with a long body and .NET do.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'

import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'

let server
let bearer

before(async () => {
  server = await startServer({ name: 'supabase-compat' })
  bearer = { authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}` }
  await asOwner(server, "insert into storage.buckets (id, name, file_size_limit) values ('files', 'files', 3000000); create table public.notes (text text)")
  await eventually(async () => (await fetch(`${server.url}/rest/v1/notes`, { headers: bearer })).ok)
})
after(() => server?.stop())

/** Sends the body only after `100 Continue`; returns whether that arrived, and the answer. */
async function ask(method, path, body, headers = {}) {
  const outgoing = request(`${server.url}${path}`, {
    method,
    headers: { ...bearer, expect: '100-continue', 'content-length': body.length, ...headers },
  })
  let isWanted = false
  outgoing.on('continue', () => {
    isWanted = true
    outgoing.end(body)
  })
  outgoing.flushHeaders()
  const [answer] = await once(outgoing, 'response')
  let text = ''
  for await (const piece of answer) text += piece
  outgoing.destroy()
  return { isWanted, status: answer.statusCode, text }
}

const LONG = Buffer.alloc(2_000_000, 'x')

test('an upload gets 100 Continue and is stored', async () => {
  const plain = await ask('POST', '/storage/v1/object/files/plain.txt', LONG, { 'content-type': 'text/plain' })
  assert.deepEqual([plain.isWanted, plain.status], [true, 200], plain.text)
  const boundary = 'between'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name=""; filename="a"\r\nContent-Type: text/plain\r\n\r\n`
  const form = Buffer.concat([Buffer.from(head), LONG, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const sent = await ask('POST', '/storage/v1/object/files/form.txt', form, { 'content-type': `multipart/form-data; boundary=${boundary}` })
  assert.deepEqual([sent.isWanted, sent.status], [true, 200], sent.text)
  const object = await fetch(`${server.url}/storage/v1/object/files/form.txt`, { headers: bearer })
  assert.equal((await object.arrayBuffer()).byteLength, LONG.length)
})

test('an insert gets 100 Continue and is written', async () => {
  const rows = Buffer.from(JSON.stringify([{ text: 'x'.repeat(1_500_000) }]))
  const sent = await ask('POST', '/rest/v1/notes', rows, { 'content-type': 'application/json' })
  assert.deepEqual([sent.isWanted, sent.status], [true, 201], sent.text)
})

test('a refusal comes before the body', async () => {
  const json = { 'content-type': 'application/json' }
  const invalidHeaders = { authorization: 'Bearer nobody', 'content-type': 'text/plain' }
  for (const [method, path, headers] of [
    ['POST', '/storage/v1/object/files/a.txt', invalidHeaders],
    ['POST', '/rest/v1/notes', { ...json, authorization: 'Bearer nobody' }],
    ['POST', '/nowhere', json],
  ]) {
    const { isWanted, status, text } = await ask(method, path, LONG, headers)
    assert.deepEqual([isWanted, status >= 400 && status < 500], [false, true], `${path}: ${status} ${text}`)
  }
})

test('empty body needs no 100 Continue', async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(port, hostname)
  socket.write(
    `POST /storage/v1/object/files/empty.txt HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${bearer.authorization}\r\n` +
      'Content-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n',
  )
  let responseText = ''
  for await (const piece of socket) responseText += piece
  assert.match(responseText, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(responseText, /\r\nconnection: close\r\n/i)
})
