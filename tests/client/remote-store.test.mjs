// Two server processes over one PostgreSQL, with the objects in a remote store.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { Upload } from 'tus-js-client'

import { createClient } from '../support/client.mjs'
import { startS3Server } from '../support/s3-server.mjs'
import { scratchFolder, startServer } from '../support/server.mjs'

const CHUNK = 6 * 1024 * 1024

let store
let scratch
let first
let second
before(async () => {
  store = await startS3Server()
  scratch = scratchFolder()
  const [here, there] = ['first', 'second'].map((name) => join(scratch.path, name))
  first = await startServer({ name: 'supabase-compat', dataDir: here, env: store.env })
  mkdirSync(there, { mode: 0o755 })
  cpSync(join(here, 'keys.json'), join(there, 'keys.json'))
  const address = `postgres://supabase_admin@localhost/postgres?host=${encodeURIComponent(join(here, 'run'))}`
  second = await startServer({ name: 'supabase-compat', dataDir: there, env: { ...store.env, DATABASE_URL: address } })
  const { error } = await client(first).storage.createBucket('files')
  assert.equal(error, null)
})
after(async () => {
  await second?.stop()
  await first?.stop()
  await store?.stop()
  scratch?.remove()
})

const client = (server) => createClient(server.url, server.keys.SERVICE_ROLE_KEY)

async function read(server, name) {
  const { data, error } = await client(server).storage.from('files').download(name)
  assert.equal(error, null)
  return Buffer.from(await data.arrayBuffer())
}

/** A resumable upload with further `options`. */
const resumable = (server, content, options) =>
  new Upload(content, {
    endpoint: `${server.url}/storage/v1/upload/resumable`,
    headers: { authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}` },
    metadata: { bucketName: 'files', objectName: 'resumed', contentType: 'application/x-test' },
    chunkSize: CHUNK,
    retryDelays: null,
    ...options,
  })

test('another process resumes an interrupted upload', { timeout: 60_000 }, async () => {
  const content = randomBytes(2 * CHUNK + 12_345)
  const address = await new Promise((resolve, reject) => {
    const upload = resumable(first, content, {
      onError: reject,
      onChunkComplete() {
        upload.abort()
        resolve(upload.url)
      },
    })
    upload.start()
  })
  // A load balancer would also send the address to another process, whatever host it names.
  const uploadUrl = new URL(new URL(address).pathname, second.url).href
  const sent = []
  await new Promise((resolve, reject) => {
    const rest = resumable(second, content, {
      uploadUrl,
      onError: reject,
      onSuccess: resolve,
      onProgress: (bytes) => sent.push(bytes),
    })
    rest.start()
  })
  assert.ok(sent[0] >= CHUNK, 'what had arrived is not sent again')
  for (const server of [first, second]) assert.ok((await read(server, 'resumed')).equals(content))
})

test('processes read each other’s object changes', async () => {
  const [here, there] = [first, second].map((server) => client(server).storage.from('files'))
  for (const text of ['one', 'two']) {
    const { error } = await here.upload('a', text, { upsert: true })
    assert.equal(error, null)
    assert.equal(String(await read(second, 'a')), text)
  }
  assert.equal((await there.move('a', 'b')).error, null)
  assert.equal(String(await read(first, 'b')), 'two')
  assert.equal((await here.remove(['b'])).error, null)
  assert.equal((await there.exists('b')).data, false)
  for (const server of [first, second]) {
    assert.equal(existsSync(join(server.dataDir, 'storage')), false, 'no bytes lie with a process')
  }
})
