// The calls that the original's Studio makes to these services (docs/studio.md), as its server and its browser make them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import * as tus from 'tus-js-client'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { linterOfCli } from '../support/linter.mjs'
import { asking, assertSameObjects, sealed } from '../support/postgres-meta.mjs'
import { serve } from '../support/project.mjs'

let project
let server
let studio

before(async () => {
  project = await serve('notes', { GOTRUE_MAILER_AUTOCONFIRM: 'true' })
  server = project.server
  await asOwner(server, "create table public.things (id int primary key, name text); notify pgrst, 'reload schema'")
  studio = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
})
after(() => project?.end())

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

/** The data of a supabase-js answer; an error fails the test. */
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

  test('receive mails', async () => {
    for (const path of ['invite', 'magiclink', 'recover']) {
      const answer = await post(`/auth/v1/${path}`, { email: `${path}@example.com` })
      assert.equal(answer.status, 200, `${path}: ${await answer.text()}`)
    }
  })

  test('get no text messages without an SMS provider', async () => {
    const answer = await post('/auth/v1/otp', { phone: '41446681800' })
    const { msg } = await answer.json()
    assert.deepEqual([answer.status, typeof msg], [400, 'string'])
  })
})

describe('the database', () => {
  /** Requests as Studio's `executeQuery` sends them: with the encrypted database address for postgres-meta. */
  const ask = (method, path, body) => {
    const connection = sealed('postgresql://postgres:postgres@db:5432/postgres', 'SAMPLE_KEY')
    const key = server.keys.SERVICE_ROLE_KEY
    return asking(`${server.url}/pg`, { apikey: key, authorization: `Bearer ${key}`, 'x-connection-encrypted': connection })(method, path, body)
  }
  /** The rows of a statement. */
  const sql = async (query, parameters) => {
    const { status, body } = await ask('POST', '/query', { query, parameters })
    assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
    return body
  }
  const one = async (query, parameters) => {
    const rows = await sql(query, parameters)
    assert.equal(rows.length, 1, `${query}: ${JSON.stringify(rows)}`)
    return rows[0]
  }

  test('is read by lists, as older images do', async () => {
    for (const path of [
      'tables?include_system_schemas=true&included_schemas=public', 'views?included_schemas=public', 'materialized-views?include_columns=true',
      'foreign-tables', 'columns?included_schemas=public', 'column-privileges?included_schemas=public', 'policies', 'publications', 'triggers',
      'types', 'extensions', 'functions', 'schemas', 'roles', 'generators/typescript?included_schema=public&excluded_schemas=auth,storage',
    ]) {
      const { status, body } = await ask('GET', `/${path}`)
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
      assert.ok(path.startsWith('generators') ? body.includes('things: {') : Array.isArray(body), path)
    }
  })

  // Studio's own package takes its statements from this library and sends them in this way.
  test('is read by the statements of postgres-meta’s library', async () => {
    for (const [kind, name, options] of [
      ['schemas', 'Schemas', {}], ['tables', 'Tables', { includedSchemas: ['public'] }], ['columns', 'Columns', { includedSchemas: ['public'] }],
      ['types', 'Types', {}], ['functions', 'Functions', { includedSchemas: ['auth'] }], ['triggers', 'Triggers', {}], ['policies', 'Policies', {}],
      ['publications', 'Publications', {}], ['extensions', 'Extensions', {}], ['views', 'Views', {}], ['materialized-views', 'MaterializedViews', {}],
      ['foreign-tables', 'ForeignTables', {}], ['column-privileges', 'ColumnPrivileges', { includedSchemas: ['public'] }],
    ]) {
      const { default: Library } = await import(`@supabase/postgres-meta/dist/lib/PostgresMeta${name}.js`)
      const library = new Library(async (query) => ({ data: await sql(query), error: null }))
      const { data } = await library.list(options)
      const included = options.includedSchemas ? `?included_schemas=${options.includedSchemas}` : ''
      assertSameObjects((await ask('GET', `/${kind}${included}`)).body, data, kind)
    }
  })

  test('is changed by the statements of postgres-meta’s library', async () => {
    const library = async (name) => {
      const { default: Library } = await import(`@supabase/postgres-meta/dist/lib/PostgresMeta${name}.js`)
      return new Library(async (query) => ({ data: await sql(query), error: null }))
    }
    const tables = await library('Tables')
    const table = value(await tables.create({ name: 'made', comment: "it's" }))
    const columns = await library('Columns')
    const column = value(await columns.create({ table_id: table.id, name: 'word', type: 'text', default_value: 'x', is_unique: true }))
    assert.equal(value(await columns.update(column.id, { is_nullable: false, comment: 'c' })).is_nullable, false)
    assert.equal(value(await tables.update(table.id, { rls_enabled: true })).rls_enabled, true)
    const policies = await library('Policies')
    const policy = value(await policies.create({ name: 'all', table: 'made', definition: 'true', command: 'SELECT', roles: ['anon'] }))
    assert.deepEqual(value(await policies.update(policy.id, { name: 'some', definition: 'false' })).definition, 'false')
    value(await policies.remove(policy.id))
    const roles = await library('Roles')
    const role = value(await roles.create({ name: 'reporter', can_login: true }))
    value(await roles.remove(role.id))
    value(await tables.remove(table.id, { cascade: true }))
    assert.equal((await one("select to_regclass('public.made') as made")).made, null)
  })

  test('has its rows listed, counted and changed', async () => {
    assert.deepEqual(await one("insert into public.things (id, name) values (1, 'one') returning *"), { id: 1, name: 'one' })
    assert.deepEqual(await one("update public.things set name = 'two' where id = 1 returning *"), { id: 1, name: 'two' })
    assert.deepEqual(await sql('select * from public.things order by things.id asc nulls last limit 101 offset 0'), [{ id: 1, name: 'two' }])
    // One text creates a function in the session and calls it.
    const counted = await one(`
      create or replace function pg_temp.planned_rows(query text) returns integer language plpgsql as $$
      declare plan jsonb;
      begin
        execute 'explain (format json) ' || query into plan;
        return plan -> 0 -> 'Plan' -> 'Plan Rows';
      end
      $$;
      with table_size as (select reltuples from pg_class where oid = 'public.things'::regclass)
      select
        case when reltuples > 50000 then pg_temp.planned_rows('select * from public.things') else (select count(*) from public.things) end as count,
        reltuples > 50000 as is_estimate
      from table_size`)
    assert.deepEqual(counted, { count: 1, is_estimate: false })
    assert.deepEqual(await sql('delete from public.things where id = 1'), [])
  })

  test('is queried as an impersonated role', async () => {
    const as = (claims, query) => `
      select set_config('role', '${claims.role}', true), set_config('request.jwt.claims', '${JSON.stringify(claims)}', true),
        set_config('request.method', 'POST', true), set_config('request.path', '/example', true), set_config('request.headers', '{"accept": "*/*"}', true);
      select 1 as "NOTHING";
      ${query}`
    const id = '7b0b1d3e-6f1b-4c5e-8d6b-111111111111'
    const identity = await one(as({ role: 'authenticated', sub: id }, 'select auth.uid() as id, current_user as who'))
    assert.deepEqual(identity, { id, who: 'authenticated' })
    assert.deepEqual(await sql(as({ role: 'anon' }, 'select from public.things where false')), [{ NOTHING: 1 }])
    assert.equal((await one('select current_user as who')).who, 'postgres')
  })

  test('explains statements, and gives the position of errors', async () => {
    const [plan] = await sql('explain (analyze, format json) select * from public.things')
    assert.ok(plan['QUERY PLAN'][0].Plan)
    const { status, body } = await ask('POST', '/query', { query: 'select nothing\nfrom public.things' })
    assert.equal(status, 400)
    assert.deepEqual([body.code, body.position], ['42703', '8'])
    assert.match(body.formattedError, /LINE 1: select nothing\n {15}\^/)
    assert.equal((await ask('POST', '/query/format', { query: 'select 1' })).status, 200)
  })

  test('lists accounts by a paginated query', async () => {
    const { user } = value(await studio.auth.admin.createUser({ email: 'listed@example.com', password: 'correct horse', email_confirm: true, user_metadata: { name: 'Listed' } }))
    const listed = await one(`
      with page as (
        select u.id, u.email, u.banned_until, u.created_at, u.confirmed_at, u.confirmation_sent_at, u.is_anonymous, u.is_sso_user, u.invited_at,
          u.last_sign_in_at, u.phone, u.raw_app_meta_data, u.raw_user_meta_data, u.updated_at
        from auth.users as u
        where lower(u.email) >= 'listed' and lower(u.email) < 'listee' and u.instance_id = '00000000-0000-0000-0000-000000000000'::uuid
          and (u.raw_app_meta_data ->> 'providers')::jsonb ?| array['email']
        order by u.created_at desc nulls last limit 50 offset 0
      )
      select page.*, coalesce((select array_agg(distinct i.provider) from auth.identities as i where i.user_id = page.id), '{}'::text[]) as providers
      from page`)
    assert.deepEqual([listed.id, listed.providers, listed.raw_user_meta_data.name], [user.id, ['email'], 'Listed'])
    await sql("select c.relname, i.indisvalid, i.indisready from pg_index as i join pg_class as c on c.oid = i.indexrelid where c.relnamespace = 'auth'::regnamespace")
    const lock = "select exists (select from pg_locks where locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = hashtext('worker')::bigint) as is_held"
    assert.equal((await one(lock)).is_held, false)
    await sql("select pid, usename, state, query, pg_blocking_pids(pid) as blocked_by from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
    value(await studio.auth.admin.deleteUser(user.id))
  })

  test('reports its privileges, indexes, migrations and statistics', async () => {
    for (const query of [
      `select c.relname, r.rolname, a.privilege_type
       from pg_class as c, lateral aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) as a left join pg_roles as r on r.oid = a.grantee
       where c.relnamespace = 'public'::regnamespace`,
      "select d.defaclobjtype, r.rolname, d.defaclacl::text[] from pg_default_acl as d join pg_roles as r on r.oid = d.defaclrole",
      "select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'public.things'::regclass",
      'select * from supabase_migrations.schema_migrations order by version desc',
      `select e.name, n.nspname, e.default_version, x.extversion, v.schema
       from pg_available_extensions as e
       left join pg_extension as x on x.extname = e.name left join pg_namespace as n on n.oid = x.extnamespace
       left join pg_available_extension_versions as v on v.name = e.name and v.version = e.default_version`,
      'select sum(pg_database_size(datname))::bigint as size from pg_database',
      'select word from pg_get_keywords()',
      'show max_connections',
      'select evtname, evtenabled from pg_event_trigger',
      'select r.rolname, r.rolconnlimit, count(a.pid) as connections from pg_roles as r left join pg_stat_activity as a on a.usename = r.rolname group by 1, 2',
      'select srvname, fdwname from pg_foreign_server as s join pg_foreign_data_wrapper as w on w.oid = s.srvfdw',
      'select coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) as lag',
    ]) assert.ok((await sql(query)).length > 0 || query.includes('foreign'), query)
  })

  test('accepts new extensions, publications, functions and views', async () => {
    await sql('create extension if not exists hstore schema extensions cascade')
    await sql('drop extension hstore cascade')
    await sql('create publication listed for table only public.things with (publish_via_partition_root = true)')
    await sql('drop publication listed')
    await sql("begin; create or replace function public.shout(text text) returns text language plpgsql as $$ begin return upper(text); end $$; alter function public.shout(text) owner to postgres; commit;")
    await sql('create view public.seen with (security_invoker = on) as select * from public.things; drop view public.seen; drop function public.shout(text)')
    await sql("insert into supabase_migrations.schema_migrations (version, statements, name) select '20990101000000', array_agg(one)::text[], 'mcp' from jsonb_array_elements_text($$[\"select 1\"]$$::jsonb) as one")
    await sql("delete from supabase_migrations.schema_migrations where version = '20990101000000'")
  })

  test('keeps secrets, jobs, queues and webhooks of tables', async () => {
    const { create_secret: id } = await one("select vault.create_secret(new_secret := 'hidden', new_name := 'studio', new_description := 'd')")
    await sql(`select vault.update_secret(secret_id := '${id}', new_secret := 'changed')`)
    assert.equal((await one(`select decrypted_secret from vault.decrypted_secrets where id = '${id}'`)).decrypted_secret, 'changed')
    await sql(`delete from vault.secrets where id = '${id}'`)

    await sql("select cron.schedule('nightly', '0 0 * * *', $$select 1$$)")
    const job = await one(`
      select j.jobid, j.jobname, j.schedule, j.command, j.active, (select max(d.start_time) from cron.job_run_details as d where d.jobid = j.jobid) as latest
      from cron.job as j order by j.jobid limit 20`)
    assert.deepEqual([job.jobname, job.active, job.latest], ['nightly', true, null])
    await sql(`select cron.alter_job(${job.jobid}, active := false)`)
    await sql("select cron.unschedule('nightly')")
    assert.deepEqual(await sql("delete from cron.job_run_details where end_time < now() - interval '1 day' returning 1"), [])

    await sql("select pgmq.create('orders'); alter table pgmq.\"q_orders\" enable row level security;")
    assert.equal((await one("select * from pgmq.list_queues() where queue_name = 'orders'")).is_unlogged, false)
    await sql("select * from pgmq.send('orders', '{\"a\": 1}'::jsonb, 0)")
    const message = await one(
      `select msg_id, enqueued_at, read_ct, vt, message, null as archived_at from pgmq.q_orders
       union all select msg_id, enqueued_at, read_ct, vt, message, archived_at from pgmq.a_orders limit 30`,
    )
    assert.deepEqual(message.message, { a: 1 })
    assert.equal((await one("select queue_length from pgmq.metrics('orders')")).queue_length, 1)
    await sql(`select pgmq.archive('orders', ${message.msg_id})`)
    await sql("select pgmq.purge_queue('orders')")
    await sql("select pgmq.drop_queue('orders')")
    assert.equal((await one("select exists (select from information_schema.schemata where schema_name = 'pgmq_public') as is_exposed")).is_exposed, true)

    assert.equal((await one("select exists (select from information_schema.schemata where schema_name = 'supabase_functions') as is_enabled")).is_enabled, true)
    await sql(`create trigger hook after insert on public.things for each row
      execute function supabase_functions.http_request('http://localhost:9/none', 'POST', '{"Content-type": "application/json"}', '{}', '1000')`)
    await sql('drop trigger hook on public.things')
  })

  test('is linted by the statement of the linter', async () => {
    const lints = await sql(linterOfCli())
    assert.ok(lints.some((lint) => lint.name === 'rls_disabled_in_public' && lint.metadata.name === 'things'))
  })

  test('refuses superuser statements and unknown objects with messages', async () => {
    for (const [query, code] of [
      ['create extension pg_cron', '0A000'],
      ["copy (select 1) to program 'true'", '42501'],
    ]) {
      const { status, body } = await ask('POST', '/query', { query })
      assert.deepEqual([status, body.code, typeof body.message, typeof body.formattedError], [400, code, 'string', 'string'], query)
    }
  })
})

describe('files', () => {
  test('are listed, moved, signed and removed', async () => {
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

  test('in vector buckets are refused without side effects', async () => {
    const { error } = await studio.storage.vectors.listBuckets()
    assert.equal(typeof error.message, 'string')
  })

  /** Uploads as Studio's browser does: by tus, with the service key. */
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

test('GraphQL is not served', async () => {
  assert.equal((await post('/graphql/v1', { query: '{ __typename }' })).status, 404)
})

describe('logs', () => {
  /** Sends a request as `retrieveAnalyticsData` of Studio does. */
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

  test('are counted for the charts', async () => {
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

  test('of functions and services are summed to figures', async () => {
    for (const name of ['functions.invocation-stats', 'functions.combined-stats']) {
      assert.deepEqual(await retrieve(name, { interval: '1hr', function_id: 'none' }), { status: 200, body: { result: [] } }, name)
    }
    const { body } = await retrieve('service-health', { ...times(), granularity: 'hour' })
    const parts = body.result.map((part) => part.auth_logs)
    assert.ok(parts.some((counts) => counts.ok > 0 && counts.total === counts.ok + counts.warning + counts.error), JSON.stringify(body))
    assert.deepEqual(body.result[0].supavisor_logs, { ok: 0, warning: 0, error: 0, total: 0 })
    assert.equal((await retrieve('service-health', { granularity: 'year' })).body.error, 'granularity is minute, hour or day')
  })

  // A self-hosted Logflare has no endpoints of these names either.
  test('of other endpoints are not found', async () => {
    for (const name of ['logs.all.otel', 'usage.api-requests-count', 'functions.resource-usage', 'auth.metrics']) {
      assert.deepEqual(await retrieve(name, {}), { status: 404, body: { error: 'Not Found' } }, name)
    }
  })
})
