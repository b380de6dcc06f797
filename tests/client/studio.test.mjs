// The calls that the original's Studio makes to these services (docs/studio.md), as its server and its browser make them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import * as tus from 'tus-js-client'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'

let server
let studio

before(async () => {
  server = await startServer({ name: 'supabase-compat', env: { GOTRUE_MAILER_AUTOCONFIRM: 'true' } })
  await asOwner(server, "create table public.things (id int primary key, name text); notify pgrst, 'reload schema'")
  studio = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
})
after(() => server?.stop())

/** As `constructHeaders` and `fetchPost` of Studio send it. */
const post = (path, body) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      Authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}`,
      apiKey: server.keys.SERVICE_ROLE_KEY,
    },
    body: JSON.stringify(body),
  })

/** The value of an answer of supabase-js, which failed with nothing. */
const value = ({ data, error }) => {
  assert.equal(error, null)
  return data
}

describe('accounts', () => {
  test('are made, changed and deleted', async () => {
    const { user } = value(await studio.auth.admin.createUser({ email: 'ada@example.com', password: 'correct horse', email_confirm: true }))
    assert.equal(user.email, 'ada@example.com')
    const banned = value(await studio.auth.admin.updateUserById(user.id, { ban_duration: '24h' }))
    assert.ok(Date.parse(banned.user.banned_until) > Date.now())
    assert.deepEqual(value(await studio.auth.admin.mfa.listFactors({ userId: user.id })).factors, [])
    value(await studio.auth.admin.deleteUser(user.id))
  })

  test('get mails', async () => {
    for (const path of ['invite', 'magiclink', 'recover']) {
      const answer = await post(`/auth/v1/${path}`, { email: `${path}@example.com` })
      assert.equal(answer.status, 200, `${path}: ${await answer.text()}`)
    }
  })
})

describe('files', () => {
  test('of a bucket are listed, moved, signed and removed', async () => {
    value(await studio.storage.createBucket('pictures', { public: true, fileSizeLimit: 1000 }))
    value(await studio.storage.updateBucket('pictures', { public: false }))
    assert.equal(value(await studio.storage.getBucket('pictures')).public, false)
    assert.deepEqual(
      value(await studio.storage.listBuckets()).map(({ id }) => id),
      ['pictures'],
    )
    const bucket = studio.storage.from('pictures')
    await upload('pictures', 'a/one.txt', 'one')
    const list = value(await bucket.list('a', { limit: 100, offset: 0, sortBy: { column: 'name', order: 'asc' } }))
    assert.deepEqual(
      list.map(({ name }) => name),
      ['one.txt'],
    )
    assert.equal(value(await bucket.listV2({ prefix: 'a/', with_delimiter: true })).objects.length, 1)
    value(await bucket.move('a/one.txt', 'b.txt'))
    assert.equal(await value(await bucket.download('b.txt')).text(), 'one')
    const { signedUrl } = value(await bucket.createSignedUrl('b.txt', 60))
    assert.equal(await (await fetch(signedUrl)).text(), 'one')
    assert.equal(value(await bucket.createSignedUrls(['b.txt'], 60)).length, 1)
    assert.match(bucket.getPublicUrl('b.txt').data.publicUrl, /\/object\/public\/pictures\/b\.txt$/)
    value(await bucket.remove(['b.txt']))
    value(await studio.storage.emptyBucket('pictures'))
    value(await studio.storage.deleteBucket('pictures'))
  })

  test('of vectors are refused and harm nothing', async () => {
    const { error } = await studio.storage.vectors.listBuckets()
    assert.equal(typeof error.message, 'string')
  })

  /** As the browser uploads: by tus, with the service key. */
  const upload = (bucketName, objectName, text) =>
    new Promise((resolve, reject) => {
      new tus.Upload(Buffer.from(text), {
        endpoint: `${server.url}/storage/v1/upload/resumable`,
        headers: { authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}`, 'x-source': 'supabase-dashboard' },
        metadata: { bucketName, objectName, contentType: 'text/plain', cacheControl: '3600' },
        chunkSize: 6 * 1024 * 1024,
        uploadDataDuringCreation: false,
        removeFingerprintOnSuccess: true,
        onSuccess: resolve,
        onError: reject,
      }).start()
    })
})

test('the API is described to the service key', async () => {
  const answer = await fetch(`${server.url}/rest/v1/`, { headers: { apikey: server.keys.SERVICE_ROLE_KEY } })
  const { definitions, paths } = await answer.json()
  assert.ok(definitions.things && paths['/things'])
})

test('GraphQL is not there', async () => {
  assert.equal((await post('/graphql/v1', { query: '{ __typename }' })).status, 404)
})

describe('logs', () => {
  /** As `retrieveAnalyticsData` asks. */
  const retrieve = async (name, parameters) => {
    const url = new URL(`${server.url}/api/endpoints/query/${name}`)
    url.searchParams.set('project', 'default')
    for (const [key, text] of Object.entries(parameters)) url.searchParams.set(key, text)
    const headers = {
      'x-api-key': server.keys.SERVICE_ROLE_KEY,
      'Content-Type': 'application/json',
      Accept: 'application/json',
    }
    const answer = await fetch(url, { method: 'GET', headers })
    return { status: answer.status, body: await answer.json() }
  }
  const times = () => ({
    iso_timestamp_start: new Date(Date.now() - 3_600_000).toISOString(),
    iso_timestamp_end: new Date(Date.now() + 60_000).toISOString(),
  })

  test('of every screen are answered', async () => {
    for (const [table, columns, joins, where] of [
      [
        'edge_logs',
        'id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code',
        'cross join unnest(metadata) as m\n  cross join unnest(m.request) as request\n  cross join unnest(m.response) as response',
        "where (request.path like '/auth/%') and (request.method = 'POST' or request.method = 'GET')",
      ],
      [
        'postgres_logs',
        'postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.detail, parsed.hint',
        'cross join unnest(metadata) as m\n  cross join unnest(m.parsed) as parsed',
        "where (parsed.error_severity = 'LOG')",
      ],
      [
        'auth_logs',
        'id, auth_logs.timestamp, event_message, metadata.level, metadata.status, metadata.path, metadata.msg as msg, metadata.error',
        'cross join unnest(metadata) as metadata',
        'where (REGEXP_CONTAINS(metadata.path, "/admin"))',
      ],
      ['storage_logs', 'id, storage_logs.timestamp, event_message', '', ''],
      ['postgrest_logs', 'id, postgrest_logs.timestamp, event_message', '', ''],
      ['realtime_logs', 'id, realtime_logs.timestamp, event_message', '', ''],
      ['function_edge_logs', 'id, function_edge_logs.timestamp, event_message', '', ''],
      [
        'function_logs',
        'id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.execution_id, metadata.level',
        'cross join unnest(metadata) as metadata',
        '',
      ],
      ['supavisor_logs', 'id, supavisor_logs.timestamp, event_message', 'cross join unnest(metadata) as m', ''],
    ]) {
      const sql = `select ${columns}\nfrom ${table}\n${joins}\n${where}\norder by timestamp desc\nlimit 100\n`
      const { status, body } = await retrieve('logs.all', { sql, ...times() })
      assert.equal(status, 200)
      assert.ok(Array.isArray(body.result), `${table}: ${JSON.stringify(body)}`)
      const isFilled = ['edge_logs', 'auth_logs', 'storage_logs', 'postgrest_logs'].includes(table)
      assert.ok(!isFilled || body.result.length > 0, table)
      for (const row of body.result) assert.match(String(row.timestamp), /^\d{16}$/)
    }
  })

  test('are counted and drawn', async () => {
    const joins = 'cross join unnest(metadata) as m\n  cross join unnest(m.request) as request\n  cross join unnest(m.response) as response'
    const count = await retrieve('logs.all', { sql: `SELECT count(*) as count FROM edge_logs ${joins} `, ...times() })
    assert.ok(count.body.result[0].count > 0)
    const sql = `
SELECT
-- log-event-chart
  timestamp_trunc(t.timestamp, minute) as timestamp,
  count(CASE WHEN NOT (response.status_code >= 500 OR response.status_code >= 400 AND response.status_code < 500) THEN 1 END) as ok_count,
  count(CASE WHEN response.status_code >= 500 THEN 1 END) as error_count,
  count(CASE WHEN response.status_code >= 400 AND response.status_code < 500 THEN 1 END) as warning_count,
FROM
  edge_logs t
  ${joins}
  where t.timestamp > '${times().iso_timestamp_start}'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
  `
    const chart = await retrieve('logs.all', { sql, ...times() })
    assert.ok(chart.body.result?.length > 0 && chart.body.result[0].ok_count > 0, JSON.stringify(chart.body))
    for (const interval of ['15min', '1hr', '1day', '7day', 'hourly']) {
      const counts = await retrieve('usage.api-counts', { interval })
      assert.ok(counts.body.result.length > 0, interval)
    }
  })

  test('of other endpoints are not found', async () => {
    for (const name of ['logs.all.otel', 'usage.api-requests-count', 'functions.combined-stats', 'service-health']) {
      assert.deepEqual(await retrieve(name, {}), { status: 404, body: { error: 'Not Found' } }, name)
    }
  })
})
