// Further kinds of projects: queues, channels in SQL, hooks, functions with import maps, several schemas, vectors.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { asOwner } from '../support/database.mjs'
import { serve } from '../support/project.mjs'
import { eventually } from '../support/server.mjs'

describe('queues', () => {
  let project

  before(async () => (project = await serve('parcels')))
  after(() => project?.end())

  test('deliver each message once and archive it', async () => {
    const [ada, bob] = [await project.account('ada'), await project.account('bob')]
    const queue = (client) => client.schema('pgmq_public')
    const parcel = (sender, address) => ({ queue_name: 'parcels', message: { sender, address } })
    const { data: sent, error } = await queue(ada.client).rpc('send', parcel(ada.id, 'Harbour 1'))
    assert.deepEqual([error, sent], [null, [1]])
    const service = queue(project.service())
    const batch = await service.rpc('send_batch', { queue_name: 'parcels', messages: [{ sender: bob.id, address: 'Hill 2' }, { sender: bob.id, address: 'Hill 3' }] })
    assert.deepEqual([batch.error, batch.data], [null, [2, 3]])
    assert.equal((await queue(bob.client).rpc('send', parcel(ada.id, 'Hill 3'))).error.code, '42501', 'in nobody else’s name')
    assert.equal((await queue(project.anon()).rpc('send', parcel(ada.id, 'x'))).error.code, '42501')
    assert.equal((await queue(ada.client).rpc('send', { queue_name: 'letters', message: {} })).error.code, '42501')

    const { data: popped } = await service.rpc('pop', { queue_name: 'parcels' })
    assert.deepEqual(popped.map((one) => [one.msg_id, one.read_ct, one.message.address]), [[1, 0, 'Harbour 1']])
    const { data: read } = await service.rpc('read', { queue_name: 'parcels', sleep_seconds: 0, n: 1 })
    assert.deepEqual(read.map((one) => [one.msg_id, one.read_ct]), [[2, 1]])
    assert.equal((await project.service().rpc('deliver', { most: 10 })).data, 2)
    assert.equal((await project.service().rpc('deliver', { most: 10 })).data, 0)
    const { data: deliveries } = await project.service().from('deliveries').select().order('parcel')
    assert.deepEqual(deliveries, [{ parcel: 2, address: 'Hill 2' }, { parcel: 3, address: 'Hill 3' }])
    const archived = await asOwner(project.server, 'select msg_id::int as id, read_ct from pgmq.a_parcels order by msg_id')
    assert.deepEqual(archived, [{ id: 2, read_ct: 2 }, { id: 3, read_ct: 1 }])
    const metrics = await asOwner(project.server, "select queue_length::int as waiting, total_messages::int as ever from pgmq.metrics('parcels')")
    assert.deepEqual(metrics, [{ waiting: 0, ever: 4 }], 'a refused one has taken a number')
  })
})

describe('channels in SQL', () => {
  let project

  before(async () => (project = await serve('rooms')))
  after(() => project?.end())

  test('show a room’s messages to its members only', async () => {
    const [ada, bob] = [await project.account('ada'), await project.account('bob')]
    const { data: rooms } = await project.anon().from('rooms').select().order('name')
    const [attic, kitchen] = rooms.map((room) => room.id)
    assert.equal((await ada.client.from('lines').insert({ room: attic, text: 'x' })).error.code, '42501')
    for (const { client } of [ada, bob]) assert.equal((await client.from('members').insert({ room: kitchen })).error, null)
    assert.equal((await ada.client.from('members').insert({ room: attic })).error, null)
    assert.equal((await ada.client.from('lines').insert({ room: kitchen, text: 'Tea?' })).error, null)
    assert.equal((await ada.client.from('lines').insert({ room: attic, text: 'Dust' })).error, null)
    const missed = async (client, of_room) => (await client.rpc('missed', { of_room })).data.map((line) => line.text)
    assert.deepEqual(await missed(bob.client, kitchen), ['Tea?'])
    assert.deepEqual(await missed(bob.client, attic), [])
    assert.deepEqual(await missed(ada.client, attic), ['Dust'])
    const published = await asOwner(project.server, "select tablename::text from pg_publication_tables where pubname = 'supabase_realtime'")
    assert.deepEqual(published, [{ tablename: 'lines' }])
  })
})

describe('hooks in SQL', () => {
  let project

  before(async () => (project = await serve('guard')))
  after(() => project?.end())

  test('allow only invited sign-ups and limit wrong passwords', async () => {
    const refused = await project.anon().auth.signUp({ email: 'eve@guard.test', password: 'correct horse' })
    assert.deepEqual([refused.error.status, refused.error.message], [403, 'by invitation only'])
    const { client, email } = await project.account('ada')
    const tries = async (password) => (await client.auth.signInWithPassword({ email, password })).error?.message ?? 'in'
    assert.deepEqual(
      [await tries('wrong'), await tries('wrong'), await tries('correct horse'), await tries('wrong'), await tries('wrong'), await tries('wrong')],
      ['Invalid login credentials', 'Invalid login credentials', 'in', 'Invalid login credentials', 'Invalid login credentials', 'too many attempts'],
    )
    assert.notEqual((await client.schema('hooks').from('invited').select()).error, null)
  })
})

describe('functions that share files by import maps', () => {
  let project

  before(async () => (project = await serve('signs')))
  after(() => project?.end())

  test('sign for an account and verify anonymously', async () => {
    const { client } = await project.account('ada')
    const text = 'To whom it may concern'
    const signed = await eventually(async () => {
      const { data, error } = await client.functions.invoke('sign', { body: { text } })
      return !error && data
    })
    assert.equal(signed.by, 'authenticated')
    assert.match(signed.seal, /^[0-9a-f]{64}$/)
    const check = async (body) => (await (await fetch(`${project.url}/functions/v1/check`, { method: 'POST', body: JSON.stringify(body) })).json()).isRight
    assert.deepEqual([await check({ text, seal: signed.seal }), await check({ text: 'x', seal: signed.seal })], [true, false])
    const without = await fetch(`${project.url}/functions/v1/sign`, { method: 'POST', body: '{}' })
    assert.equal(without.status, 401)
  })
})

describe('several schemas', () => {
  let project

  before(async () => (project = await serve('library')))
  after(() => project?.end())

  test('are reached by name if they are exposed', async () => {
    const { client } = await project.account('ada')
    const catalogue = client.schema('catalogue')
    const found = await catalogue.from('works').select('isbn, kind').textSearch('words', 'lighthouse').order('isbn')
    assert.deepEqual(found.data, [{ isbn: '9780000000001', kind: 'book' }, { isbn: '9780000000003', kind: 'map' }])
    assert.equal((await catalogue.from('works').select()).data.length, 2, 'no more rows than the settings say')
    const lending = client.schema('lending')
    assert.equal((await lending.from('loans').insert({ work: '9780000000002' })).error, null)
    assert.equal((await lending.from('loans').insert({ work: '12' })).error.code, '23514')
    assert.deepEqual((await catalogue.from('shelf').select('title').is('is_lent', true)).data, [{ title: 'On keeping bees' }])
    assert.deepEqual((await project.anon().schema('lending').from('loans').select()).error.code, '42501')
    assert.equal((await lending.rpc('how_often', { isbn: '9780000000002' })).data, 1)
    for (const hidden of ['internal', 'public']) {
      assert.equal((await client.schema(hidden).from('history').select()).error.code, 'PGRST106')
    }
  })
})

describe('a bucket with its first objects', () => {
  test('gets the permitted files of its folder, once', async () => {
    const project = await serve('library')
    try {
      const covers = project.service().storage.from('covers')
      const { data } = await covers.list('maps')
      assert.deepEqual(data.map((one) => [one.name, one.metadata.mimetype]), [['harbours.svg', 'image/svg+xml']])
      assert.deepEqual((await covers.list()).data.map((one) => one.name), ['maps'])
      assert.match(project.server.log(), /seed object skipped.*README\.md.*text\/markdown/s)
      const picture = await fetch(project.anon().storage.from('covers').getPublicUrl('maps/harbours.svg').data.publicUrl)
      assert.match(await picture.text(), /<svg/)
      assert.equal((await covers.remove(['maps/harbours.svg'])).error, null)
      await project.again()
      assert.deepEqual((await project.service().storage.from('covers').list('maps')).data, [])
    } finally {
      await project.end()
    }
  })
})

describe('vectors', () => {
  test('are found by distance if pgvector is available', async () => {
    const up = await serve('vectors').then(
      (project) => ({ project }),
      (error) => ({ output: String(error) }),
    )
    if (!up.project) {
      assert.match(up.output, /20260605000000_create_passages\.sql:1:1: .*extension "vector" is not available: the package postgresql-\d+-pgvector has it/)
      return
    }
    try {
      const { data, error } = await up.project.anon().rpc('near', { query: '[1,0,0]' })
      assert.equal(error, null)
      assert.deepEqual(data.map((row) => row.text), ['north', 'north-east'])
    } finally {
      await up.project.end()
    }
  })
})
