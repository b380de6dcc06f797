// Image rendering, as supabase-js requests it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'

import { createClient } from '../support/client.mjs'
import { startServer } from '../support/server.mjs'

let server
let service
let anonymous

/** A JPEG of 1200 by 630 pixels. */
const JPEG = readFileSync(new URL('../../storage/pictures/social-card.jpg', import.meta.url))

/** A PNG whose left half is red and whose right half is blue. */
function halves(width, height) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x += 1) row[1 + x * 3 + (x < width / 2 ? 0 : 2)] = 255
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

/** Width and height of a PNG. */
const sides = (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]

const bytesOf = async (blob) => Buffer.from(await blob.arrayBuffer())

before(async () => {
  server = await startServer({ name: 'supabase-compat' })
  service = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
  anonymous = createClient(server.url, server.keys.ANON_KEY)
  for (const [name, open] of [['open', true], ['shut', false]]) {
    const { error } = await service.storage.createBucket(name, { public: open })
    assert.ifError(error)
    const files = service.storage.from(name)
    assert.ifError((await files.upload('halves.png', halves(200, 100), { contentType: 'image/png' })).error)
    // Uploaded as a text: the server recognises the format by its bytes.
    assert.ifError((await files.upload('card.jpg', JPEG)).error)
  }
})
after(() => server?.stop())

describe('a picture', () => {
  test('of a public bucket is resized by URL', async () => {
    const transform = { width: 50, height: 50, resize: 'contain', quality: 60 }
    const { data } = anonymous.storage.from('open').getPublicUrl('halves.png', { transform })
    assert.match(data.publicUrl, /\/storage\/v1\/render\/image\/public\/open\/halves\.png\?/)
    const answer = await fetch(data.publicUrl)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('x-transformations'), 'height:50,width:50,resizing_type:fit,quality:60')
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.equal(answer.headers.get('content-length'), String(bytes.length))
    assert.deepEqual(sides(bytes), [50, 25])
  })

  test('is transformed by a download', async () => {
    const transform = { width: 200, height: 200, resize: 'fill', quality: 60 }
    const { data, error } = await service.storage.from('shut').download('card.jpg', { transform })
    assert.ifError(error)
    assert.equal(data.type, 'image/jpeg')
    assert.ok(data.size < JPEG.length / 4, `${data.size} of ${JPEG.length}`)
  })

  test('is signed together with its transformation', async () => {
    const files = service.storage.from('shut')
    const { data, error } = await files.createSignedUrl('halves.png', 60, { transform: { width: 40, height: 40 } })
    assert.ifError(error)
    assert.match(data.signedUrl, /\/render\/image\/sign\/shut\/halves\.png\?token=/)
    for (const address of [data.signedUrl, `${data.signedUrl}&width=4`]) {
      const answer = await fetch(address)
      assert.equal(answer.headers.get('x-transformations'), 'height:40,width:40,resizing_type:fill')
      assert.deepEqual(sides(Buffer.from(await answer.arrayBuffer())), [40, 40])
    }
  })

  test('is WebP by the Accept header', async () => {
    const headers = { Accept: 'image/avif,image/webp,*/*' }
    const kind = async (transform) => {
      const { data } = anonymous.storage.from('open').getPublicUrl('card.jpg', { transform })
      return (await fetch(data.publicUrl, { headers })).headers.get('content-type')
    }
    assert.equal(await kind({ width: 300 }), 'image/webp')
    assert.equal(await kind({ width: 300, format: 'origin' }), 'image/jpeg')
  })

  test('is refused without access or for other files', async () => {
    const transform = { width: 40 }
    const hidden = await anonymous.storage.from('shut').download('halves.png', { transform })
    assert.equal(hidden.data, null)
    assert.deepEqual([hidden.error.statusCode, hidden.error.message], ['404', 'Object not found'])
    const files = service.storage.from('open')
    assert.ifError((await files.upload('page.png', '<script>alert(1)</script>', { contentType: 'image/png' })).error)
    const { error } = await files.download('page.png', { transform })
    const message = 'The source image is invalid or unsupported for rendering'
    assert.deepEqual([error.statusCode, error.message], ['400', message])
    const download = await files.download('page.png')
    assert.equal((await bytesOf(download.data)).toString(), '<script>alert(1)</script>')
  })
})
