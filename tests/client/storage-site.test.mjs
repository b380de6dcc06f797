// The site's own bucket, as its pages use it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { createClient } from '../support/client.mjs'
import { startServer } from '../support/server.mjs'

let server
let service
let olga

const done = ({ data, error }) => {
  assert.equal(error, null)
  return data
}
const png = Buffer.from('89504e470d0a1a0a', 'hex')

before(async () => {
  server = await startServer({ env: { GOTRUE_MAILER_AUTOCONFIRM: 'true' } })
  service = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
  const account = { email: 'olga@example.com', password: 'correct horse battery', email_confirm: true }
  done(await service.auth.admin.createUser({ ...account, user_metadata: { username: 'olga' } }))
  const person = createClient(server.url, server.keys.ANON_KEY)
  const { user } = done(await person.auth.signInWithPassword(account))
  olga = { id: user.id, pictures: person.storage.from('server-images') }
})

after(() => server?.stop())

test('image bucket exists with its limits', async () => {
  const bucket = done(await service.storage.getBucket('server-images'))
  assert.deepEqual(
    [bucket.public, bucket.file_size_limit, bucket.allowed_mime_types],
    [true, 5_242_880, ['image/jpeg', 'image/png', 'image/webp', 'image/gif']],
  )
})

test('owner’s uploaded logo is publicly readable', async () => {
  const path = `${olga.id}/logo.png`
  done(await olga.pictures.upload(path, png, { contentType: 'image/png' }))
  const seen = await fetch(olga.pictures.getPublicUrl(path).data.publicUrl)
  assert.deepEqual([seen.status, seen.headers.get('content-type')], [200, 'image/png'])
  done(await olga.pictures.upload(path, png, { contentType: 'image/png', upsert: true }))
  assert.equal(done(await olga.pictures.remove([path])).length, 1)
})

test('uploads with invalid path or type are refused', async () => {
  const upload = async (path, body, contentType) => (await olga.pictures.upload(path, body, { contentType })).error
  assert.equal((await upload('elsewhere/a.png', png, 'image/png')).statusCode, '403')
  assert.equal((await upload(`${olga.id}/a.svg`, '<svg/>', 'image/svg+xml')).statusCode, '415')
  assert.equal((await upload(`${olga.id}/a.png`, Buffer.alloc(5_242_881), 'image/png')).statusCode, '413')
  assert.match((await upload(`${olga.id}/a.gif`, png, 'image/gif')).message, /arcade-spots/)
  assert.equal(await upload(`arcade-spots/${olga.id}/1.gif`, png, 'image/gif'), null)
  const anon = createClient(server.url, server.keys.ANON_KEY).storage.from('server-images')
  const { error } = await anon.upload('a.png', png, { contentType: 'image/png' })
  assert.equal(error.statusCode, '403')
})
