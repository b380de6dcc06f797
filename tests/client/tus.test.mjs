// Resumable uploads, by tus-js-client as published.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { connect } from 'node:net'
import { Readable } from 'node:stream'

import { Upload } from 'tus-js-client'

import { createClient } from '../support/client.mjs'
import { freePort, scratchFolder, startAfterKill, startServer } from '../support/server.mjs'

const MIB = 1024 * 1024
const CHUNK = 6 * MIB

let server
let scratch
let port
before(async () => {
  scratch = scratchFolder()
  server = await start()
  const { error } = await client().storage.createBucket('files')
  assert.equal(error, null)
})
after(async () => {
  await server?.stop()
  scratch?.remove()
})

/** Starts the server on the same public port each time, so that an upload's address stays valid. */
async function start() {
  port ??= await freePort()
  return startServer({
    name: 'supabase-compat',
    port,
    dataDir: scratch.path,
    env: { API_EXTERNAL_URL: `http://127.0.0.1:${port}` },
  })
}

const client = () => createClient(server.url, server.keys.SERVICE_ROLE_KEY)

/** Starts an upload with further `options`; `ended` resolves or rejects with its result. */
function upload(content, name, options = {}) {
  let started
  const ended = new Promise((resolve, reject) => {
    started = new Upload(content, {
      endpoint: `${server.url}/storage/v1/upload/resumable`,
      headers: { authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}` },
      metadata: { bucketName: 'files', objectName: name, contentType: 'application/x-test', cacheControl: '60' },
      chunkSize: CHUNK,
      retryDelays: null,
      onSuccess: () => resolve(started),
      onError: reject,
      ...options,
    })
    started.start()
  })
  return { ended, upload: started }
}

async function read(name) {
  const { data, error } = await client().storage.from('files').download(name)
  assert.equal(error, null)
  return { type: data.type, content: Buffer.from(await data.arrayBuffer()) }
}

test('chunked upload creates an object with its type', async () => {
  const content = randomBytes(2 * CHUNK + 12_345)
  const done = await upload(content, 'chunks').ended
  assert.ok(done.url.startsWith(`http://127.0.0.1:${port}/storage/v1/upload/resumable/`), done.url)
  const object = await read('chunks')
  assert.ok(object.content.equals(content))
  assert.equal(object.type, 'application/x-test')
})

test('creation accepts first chunk or deferred length', async () => {
  const content = randomBytes(CHUNK + 1)
  await upload(content, 'at-once', { uploadDataDuringCreation: true }).ended
  assert.ok((await read('at-once')).content.equals(content))
  const pieces = Readable.from([content.subarray(0, 1000), content.subarray(1000)], { objectMode: false })
  await upload(pieces, 'unknown-length', { uploadLengthDeferred: true }).ended
  assert.ok((await read('unknown-length')).content.equals(content))
})

test('an upload continues after the server was killed', { timeout: 120_000 }, async () => {
  const content = randomBytes(4 * CHUNK)
  let killed
  const { ended } = upload(content, 'killed', {
    retryDelays: [200, 500, 1000, 2000, 3000, 5000, 5000, 5000],
    onChunkComplete(_size, sent) {
      if (killed || sent < 2 * CHUNK) return
      killed = server
        .kill()
        .then(() => startAfterKill(start))
        .then((again) => (server = again))
    },
  })
  await ended
  await killed
  assert.ok(killed, 'the server was killed on the way')
  assert.ok((await read('killed')).content.equals(content))
})

test('another client resumes an upload by its URL', async () => {
  const content = randomBytes(2 * CHUNK)
  let first
  const paused = new Promise((resolve) => {
    first = upload(content, 'moved', {
      onChunkComplete() {
        first.upload.abort()
        resolve()
      },
    })
  })
  await paused
  const offsets = []
  await upload(content, 'moved', {
    uploadUrl: first.upload.url,
    onProgress: (sent) => offsets.push(sent),
  }).ended
  assert.ok(offsets[0] >= CHUNK, 'nothing is sent twice')
  assert.ok((await read('moved')).content.equals(content))
})

test('bytes received before a cut connection are kept', async () => {
  const response = await fetch(`${server.url}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}`,
      'tus-resumable': '1.0.0',
      'upload-length': '1000',
      'upload-metadata': `bucketName ${btoa('files')},objectName ${btoa('cut')}`,
    },
  })
  assert.equal(response.status, 201)
  const place = new URL(response.headers.get('location'))
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `PATCH ${place.pathname} HTTP/1.1\r\nhost: x\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\n` +
      `authorization: Bearer ${server.keys.SERVICE_ROLE_KEY}\r\ncontent-length: 1000\r\n` +
      `content-type: application/offset+octet-stream\r\n\r\n${'x'.repeat(400)}`,
  )
  await new Promise((resolve) => socket.once('ready', resolve))
  socket.end()
  // The server counts the received bytes as soon as it sees the end of the connection.
  const deadline = Date.now() + 20_000
  let offset = '0'
  while (offset !== '400' && Date.now() < deadline) {
    const head = await fetch(place, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}`, 'tus-resumable': '1.0.0' },
    })
    offset = head.headers.get('upload-offset')
  }
  assert.equal(offset, '400')
  socket.destroy()
})

test('a signed upload needs no other key', async () => {
  const { data } = await client().storage.from('files').createSignedUploadUrl('signed')
  const content = randomBytes(1000)
  await upload(content, 'signed', {
    endpoint: `${server.url}/storage/v1/upload/resumable/sign`,
    headers: { 'x-signature': data.token },
  }).ended
  assert.ok((await read('signed')).content.equals(content))
})

test('aborted upload is deleted', async () => {
  const content = randomBytes(2 * CHUNK)
  let options
  const { upload: started } = upload(content, 'given-up', {
    onChunkComplete() {
      options = started.abort(true)
    },
  })
  while (!options) await new Promise((resolve) => setImmediate(resolve))
  await options
  const head = await fetch(started.url, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}`, 'tus-resumable': '1.0.0' },
  })
  assert.equal(head.status, 404)
})

test('a refusal reaches the client with its message', async () => {
  const { ended } = upload(randomBytes(10), 'chunks')
  await assert.rejects(ended, (error) => {
    assert.equal(error.originalResponse.getStatus(), 409)
    assert.equal(error.originalResponse.getBody(), 'The resource already exists')
    return true
  })
})
