// storage/v1 of the services alone: every method of the published client, under policies like a
// project's.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PASSWORD, startAuth } from '../support/auth.mjs'
import { asOwner } from '../support/database.mjs'

const POLICIES = `
  create policy "signed-in people see buckets" on storage.buckets for select to authenticated using (true);
  create policy "people keep their folder" on storage.objects for all to authenticated
    using ((storage.foldername(name))[1] = (select auth.uid())::text)
    with check ((storage.foldername(name))[1] = (select auth.uid())::text);
`

const UNSEEN = 'Either the object does not exist or you do not have access to it'

let world
let service
let ada
let bob

/** The parts of an error that applications match on. */
const errorFields = (error) => error && { status: error.status, statusCode: error.statusCode, message: error.message }
const refused = (statusCode, message) => ({ status: 400, statusCode, message })
const DENIED = refused('403', 'new row violates row-level security policy')
const MISSING = refused('404', 'Object not found')
const done = ({ data, error }) => {
  assert.equal(error, null)
  return data
}
const text = async (blob) => Buffer.from(await blob.arrayBuffer()).toString()

before(async () => {
  world = await startAuth()
  service = world.client({}, world.server.keys.SERVICE_ROLE_KEY).storage
  await asOwner(world.server, POLICIES)
  ada = await world.person('ada@example.com', { password: PASSWORD })
  bob = await world.person('bob@example.com', { password: PASSWORD })
  done(await service.createBucket('shut', { public: false }))
  done(await service.createBucket('open', { public: true }))
})

after(() => world?.stop())

describe('buckets', () => {
  test('are created, described, changed, emptied and removed', async () => {
    const options = { public: true, fileSizeLimit: '20MB', allowedMimeTypes: ['image/*'] }
    assert.deepEqual(done(await service.createBucket('photos', options)), { name: 'photos' })
    const again = await service.createBucket('photos')
    assert.deepEqual(errorFields(again.error), refused('409', 'The resource already exists'))
    const bucket = done(await service.getBucket('photos'))
    assert.deepEqual(Object.keys(bucket).sort(), [
      'allowed_mime_types', 'created_at', 'file_size_limit', 'id', 'name', 'owner', 'public', 'updated_at',
    ])
    assert.deepEqual(
      [bucket.owner, bucket.public, bucket.file_size_limit, bucket.allowed_mime_types],
      ['', true, 20_000_000, ['image/*']],
    )
    const listed = done(await service.listBuckets({ search: 'PHOT', sortColumn: 'name', sortOrder: 'desc', limit: 1 }))
    assert.deepEqual(listed.map(({ id, type }) => [id, type]), [['photos', 'STANDARD']])
    const change = { public: false, fileSizeLimit: 1000 }
    assert.deepEqual(done(await service.updateBucket('photos', change)), { message: 'Successfully updated' })
    done(await service.from('photos').upload('a.png', Buffer.from('x'), { contentType: 'image/png' }))
    const full = await service.deleteBucket('photos')
    assert.deepEqual(errorFields(full.error), refused('409', 'The bucket you tried to delete is not empty'))
    const emptied = done(await service.emptyBucket('photos'))
    assert.equal(emptied.message, 'Empty bucket has been queued. Completion may take up to an hour.')
    assert.deepEqual(done(await service.deleteBucket('photos')), { message: 'Successfully deleted' })
    assert.deepEqual(errorFields((await service.getBucket('photos')).error), refused('404', 'Bucket not found'))
  })

  test('are visible as row security allows', async () => {
    assert.deepEqual(done(await world.client().storage.listBuckets()), [])
    const names = done(await ada.person.storage.listBuckets()).map(({ name }) => name)
    assert.deepEqual(names, ['open', 'shut'])
    assert.deepEqual(errorFields((await ada.person.storage.createBucket('mine')).error), DENIED)
    assert.deepEqual(errorFields((await service.createBucket('a/b')).error), refused('400', 'Bucket name invalid'))
    const huge = await service.createBucket('huge', { fileSizeLimit: '100GB' })
    assert.deepEqual(errorFields(huge.error), refused('413', 'The object exceeded the maximum allowed size'))
    const purge = await service.purgeBucketCache('open')
    assert.equal(purge.error.statusCode, '403')
  })
})

describe('objects', () => {
  const of = (person) => person.person.storage.from('shut')
  const path = (name, person = ada) => `${person.user.id}/${name}`

  test('are uploaded from every body type', async () => {
    const forms = {
      buffer: Buffer.from('one'),
      blob: new Blob(['one'], { type: 'text/plain' }),
      text: 'one',
      stream: new Blob(['one']).stream(),
      form: Object.assign(new FormData(), {}),
    }
    forms.form.append('', new Blob(['one'], { type: 'text/plain' }))
    for (const [name, body] of Object.entries(forms)) {
      const put = done(await of(ada).upload(path(name), body, { duplex: 'half', metadata: { name } }))
      assert.equal(put.path, path(name), name)
      assert.equal(put.fullPath, `shut/${path(name)}`)
      assert.equal(await text(done(await of(ada).download(path(name)))), 'one', name)
      const info = done(await of(ada).info(path(name)))
      assert.deepEqual([info.size, info.metadata], [3, { name }], name)
      assert.equal(info.cacheControl, 'max-age=3600', name)
    }
    const again = await of(ada).upload(path('buffer'), 'two')
    assert.deepEqual(errorFields(again.error), refused('409', 'The resource already exists'))
    done(await of(ada).upload(path('buffer'), 'two', { upsert: true }))
    done(await of(ada).update(path('blob'), new Blob(['three'], { type: 'text/css' })))
    assert.equal(await text(done(await of(ada).download(path('buffer')))), 'two')
    assert.equal(done(await of(ada).download(path('blob'))).type, 'text/css')
    assert.equal(done(await of(ada).download(path('buffer'))).type, 'text/plain;charset=utf-8')
    let streamed = ''
    for await (const piece of done(await of(ada).download(path('buffer')).asStream())) streamed += Buffer.from(piece)
    assert.equal(streamed, 'two')
    assert.equal(done(await of(ada).exists(path('text'))), true)
    assert.equal((await of(ada).exists(path('none'))).data, false)
    const removed = done(await of(ada).remove(Object.keys(forms).map((name) => path(name))))
    assert.deepEqual(removed.map(({ name }) => name).sort(), Object.keys(forms).map((name) => path(name)).sort())
    assert.deepEqual(done(await of(ada).remove([path('text')])), [])
  })

  test('of other accounts are inaccessible', async () => {
    done(await of(ada).upload(path('own.txt'), 'mine'))
    assert.deepEqual(errorFields((await of(bob).upload(path('x.txt'), 'x')).error), DENIED)
    assert.deepEqual(errorFields((await of(bob).upload(path('own.txt'), 'x', { upsert: true })).error), DENIED)
    assert.deepEqual(errorFields((await of(bob).info(path('own.txt'))).error), MISSING)
    assert.deepEqual(errorFields((await of(bob).move(path('own.txt'), path('x', bob))).error), MISSING)
    assert.deepEqual(errorFields((await of(bob).copy(path('own.txt'), path('x', bob))).error), MISSING)
    assert.deepEqual(errorFields((await of(bob).createSignedUrl(path('own.txt'), 60)).error), MISSING)
    assert.deepEqual(done(await of(bob).list(ada.user.id)), [])
    assert.deepEqual(done(await of(bob).remove([path('own.txt')])), [])
    const download = await of(bob).download(path('own.txt'))
    assert.equal(download.error.status, 400)
    assert.equal(await text(done(await of(ada).download(path('own.txt')))), 'mine')
  })

  test('are moved and copied', async () => {
    done(await of(ada).upload(path('m/a.txt'), 'moved', { metadata: { kept: true } }))
    assert.deepEqual(done(await of(ada).move(path('m/a.txt'), path('m/b.txt'))), { message: 'Successfully moved' })
    const copy = done(await of(ada).copy(path('m/b.txt'), path('m/c.txt')))
    assert.equal(copy.path, `shut/${path('m/c.txt')}`)
    const taken = await of(ada).move(path('m/b.txt'), path('m/c.txt'))
    assert.deepEqual(errorFields(taken.error), refused('409', 'The resource already exists'))
    const away = await service
      .from('shut')
      .copy(path('m/b.txt'), 'from-ada.txt', { destinationBucket: 'open' })
    assert.equal(done(away).path, 'open/from-ada.txt')
    assert.deepEqual(done(await of(ada).info(path('m/c.txt'))).metadata, { kept: true })
    assert.equal(await text(done(await of(ada).download(path('m/c.txt')))), 'moved')
  })

  test('are listed by level, and page by page', async () => {
    for (const name of ['1.txt', '2.txt', 'deep/3.txt', 'deep/er/4.txt', 'Z.txt']) {
      done(await of(ada).upload(path(`list/${name}`), name))
    }
    const level = done(await of(ada).list(path('list')))
    assert.deepEqual(level.map(({ name, id }) => [name, id !== null]), [
      ['1.txt', true], ['2.txt', true], ['deep', false], ['Z.txt', true],
    ])
    assert.deepEqual(Object.keys(level[0].metadata).sort(), [
      'cacheControl', 'contentLength', 'eTag', 'httpStatusCode', 'lastModified', 'mimetype', 'size',
    ])
    const sorted = await of(ada).list(path('list'), { limit: 2, offset: 1, sortBy: { column: 'name', order: 'desc' } })
    assert.deepEqual(done(sorted).map(({ name }) => name), ['deep', '2.txt'])
    assert.deepEqual(done(await of(ada).list(path('list'), { search: 'z' })).map(({ name }) => name), ['Z.txt'])
    for (const [withDelimiter, expected] of [
      [true, ['1.txt', '2.txt', 'Z.txt', 'deep/']],
      [false, ['1.txt', '2.txt', 'Z.txt', 'deep/3.txt', 'deep/er/4.txt']],
    ]) {
      const names = []
      let cursor
      do {
        const options = { prefix: path('list/'), limit: 2, with_delimiter: withDelimiter, cursor }
        const page = done(await of(ada).listV2(options))
        names.push(...[...page.folders, ...page.objects].map(({ name }) => name.slice(path('list/').length)))
        assert.equal(page.hasNext, page.nextCursor !== undefined)
        cursor = page.nextCursor
      } while (cursor)
      assert.deepEqual(names.sort(), expected)
    }
  })

  test('are shared by signed download and upload URLs', async () => {
    done(await of(ada).upload(path('signed.txt'), 'signed'))
    const { signedUrl } = done(await of(ada).createSignedUrl(path('signed.txt'), 60, { download: 'name.txt' }))
    const read = await fetch(signedUrl)
    assert.deepEqual([read.status, await read.text()], [200, 'signed'])
    assert.match(read.headers.get('content-disposition'), /^attachment; filename=name\.txt/)
    const many = done(await of(ada).createSignedUrls([path('signed.txt'), path('none.txt')], 60))
    assert.deepEqual(many.map(({ error }) => error), [null, UNSEEN])
    assert.equal(await (await fetch(many[0].signedUrl)).text(), 'signed')
    const { token } = done(await of(ada).createSignedUploadUrl(path('put.txt')))
    const anonymous = world.client().storage.from('shut')
    const put = done(await anonymous.uploadToSignedUrl(path('put.txt'), token, 'by address', { metadata: { a: 1 } }))
    assert.equal(put.path, path('put.txt'))
    const again = await anonymous.uploadToSignedUrl(path('put.txt'), token, 'again')
    assert.deepEqual(errorFields(again.error), refused('409', 'The resource already exists'))
    assert.equal(await text(done(await of(ada).download(path('put.txt')))), 'by address')
    const other = await anonymous.uploadToSignedUrl(path('other.txt'), token, 'elsewhere')
    assert.deepEqual(errorFields(other.error), refused('400', 'Invalid signature'))
  })

  test('of public buckets have an address for everybody', async () => {
    done(await service.from('open').upload('a folder/é'.replace('é', 'e.txt'), 'open', { cacheControl: '60' }))
    const { publicUrl } = service.from('open').getPublicUrl('a folder/e.txt').data
    const read = await fetch(publicUrl)
    assert.deepEqual([read.status, await read.text()], [200, 'open'])
    assert.equal(read.headers.get('cache-control'), 'max-age=60')
    assert.equal(read.headers.get('access-control-allow-origin'), '*')
    const part = await fetch(publicUrl, { headers: { range: 'bytes=1-2' } })
    assert.deepEqual([part.status, await part.text(), part.headers.get('content-range')], [206, 'pe', 'bytes 1-2/4'])
    const same = await fetch(publicUrl, { headers: { 'if-none-match': read.headers.get('etag') } })
    assert.equal(same.status, 304)
    const download = service.from('open').getPublicUrl('a folder/e.txt', { download: true }).data.publicUrl
    assert.equal((await fetch(download)).headers.get('content-disposition'), 'attachment;')
    const bad = await service.from('open').upload('naïve.txt', 'x')
    assert.deepEqual(errorFields(bad.error), refused('400', 'Invalid key: naïve.txt'))
    assert.equal((await service.from('open').purgeCache('a folder/e.txt')).error.statusCode, '403')
  })

  test('are limited by their bucket’s size and type', async () => {
    done(await service.createBucket('small', { fileSizeLimit: 1000, allowedMimeTypes: ['text/*'] }))
    const small = service.from('small')
    const long = refused('413', 'The object exceeded the maximum allowed size')
    assert.deepEqual(errorFields((await small.upload('a', Buffer.alloc(1001), { contentType: 'text/plain' })).error), long)
    const stream = new Blob([Buffer.alloc(3_000_000)]).stream()
    const chunked = await small.upload('b', stream, { contentType: 'text/plain', duplex: 'half' })
    assert.deepEqual(errorFields(chunked.error), long)
    const kind = await small.upload('c', Buffer.alloc(10), { contentType: 'video/mp4' })
    assert.deepEqual(errorFields(kind.error), refused('415', 'mime type video/mp4 is not supported'))
    assert.deepEqual(done(await small.list()), [])
  })
})
