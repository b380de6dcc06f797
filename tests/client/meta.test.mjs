// `/pg` against npm's postgres-meta on the same database: queries, effects of changes, and the answers to bad input and
// wrong keys. beside-originals.test.mjs tests the lists.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { connectedAsOwner } from '../support/database.mjs'
import { asking, beside, KINDS, NUMBERED, routesOfPostgresMeta, still } from '../support/postgres-meta.mjs'
import { eventually } from '../support/server.mjs'

let pair

before(async () => (pair = await beside('club', { env: { PG_META_MAX_RESULT_SIZE_MB: '2' } })))
after(() => pair?.end())

describe('pages of lists, and missing objects', () => {
  test('limit and offset paginate an ordered list', async () => {
    for (const kind of KINDS.filter((kind) => !kind.endsWith('-privileges'))) {
      const { body: all } = await pair.ours('GET', `/${kind}`)
      const { body: page } = await pair.ours('GET', `/${kind}?limit=2&offset=1`)
      assert.deepEqual(page.map(still), all.slice(1, 3).map(still), kind)
      const { body: theirs } = await pair.theirs('GET', `/${kind}?limit=2&offset=1`)
      assert.equal(page.length, theirs.length, kind)
    }
  })

  test('the version is the original’s', async () => {
    const [ours, theirs] = await Promise.all([pair.ours('GET', '/config/version'), pair.theirs('GET', '/config/version')])
    assert.deepEqual(still(ours.body), still(theirs.body))
    const health = await pair.ours('GET', '/health')
    assert.match(health.body.date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('missing object returns the original’s error', async () => {
    for (const kind of NUMBERED) {
      const path = kind === 'columns' ? '/columns/1.99' : `/${kind}/1`
      const [ours, theirs] = await Promise.all([pair.ours('GET', path), pair.theirs('GET', path)])
      assert.deepEqual(ours, theirs, path)
    }
    for (const path of ['/tables/abc', '/nothing', '/tables/1/2', '/extensions/none']) {
      const [ours, theirs] = await Promise.all([pair.ours('GET', path), pair.theirs('GET', path)])
      assert.deepEqual(ours, theirs, path)
    }
  })

  test('invalid parameters answer 400', async () => {
    for (const path of ['/tables?limit=x', '/tables?include_columns=maybe', '/types?limit=x', '/schemas?offset=1.5']) {
      const ours = await pair.ours('GET', path)
      assert.equal(ours.status, 400, path)
      assert.match(ours.body.error, /^querystring\/\w+ must be (integer|boolean)$/)
    }
  })
})

describe('statements', () => {
  const both = async (body, parameters = '') => {
    const [ours, theirs] = await Promise.all([pair.ours('POST', `/query${parameters}`, body), pair.theirs('POST', `/query${parameters}`, body)])
    assert.deepEqual(ours, theirs, JSON.stringify(body))
    return ours
  }

  test('values of every type match the original', async () => {
    const values = [
      '1::int2', '-2::int4', '9007199254740991::int8', '9007199254740993::int8', '(-9007199254740993)::int8', '4294967295::oid',
      '1.5::float4', '1e300::float8', "'NaN'::float8", "'-Infinity'::float8", '1.50::numeric', "'NaN'::numeric", 'true', 'false', 'null',
      "'it''s \"x\" \\ \n é 😀'::text", "'x'::varchar(3)", "'x'::char(3)", "'n'::name", "'c'::\"char\"", "'\\x00ff10'::bytea", "''::bytea",
      "'2026-01-02'::date", "'2026-01-02 03:04:05.678'::timestamp", "'2026-01-02 03:04:05+02'::timestamptz", "'03:04'::time", "'03:04+01'::timetz",
      "'1 year 2 mons -3 days 04:05:06.7'::interval", "'{\"a\": [1, 2.0, null]}'::json", "'{\"a\": {\"b\": 1e2}}'::jsonb", "'null'::jsonb",
      "'(1,2)'::point", "'<(1,-2.5),3>'::circle", "'[(1,2),(3,4)]'::lseg", "'((0,0),(1,1))'::box", "'7b0b1d3e-6f1b-4c5e-8d6b-111111111111'::uuid",
      "'192.168.0.1/24'::inet", "'10.0.0.0/8'::cidr", "'08:00:2b:01:02:03'::macaddr", '12.34::money', "'101'::bit(3)", "'a b'::tsvector", "'[1,5)'::int4range",
      "'{1,null,3}'::int2[]", "'{{1,2},{3,4}}'::int4[]", "'[0:1]={5,6}'::int4[]", "'{}'::int4[]", "'{1,9007199254740993}'::int8[]", "'{1.5,NaN}'::float8[]",
      "'{1.50,2}'::numeric[]", "'{t,f,null}'::bool[]", "array['a', 'b \"c\"', 'NULL', null, '', 'x,y', '{z}', 'back\\slash']", "'{a,b}'::varchar[]", "'{a,b}'::name[]",
      "array['{\"a\": 1}', 'null']::jsonb[]", "array['\\x01', null]::bytea[]", "'{2026-01-02,null}'::date[]", "'{\"2026-01-02 03:04:05\"}'::timestamp[]",
      "'{\"2026-01-02 03:04:05+02\"}'::timestamptz[]", "'{03:04}'::time[]", "array['1 day 02:03:04.5', '-1 hour', '0']::interval[]", "array['(1,2)']::point[]",
      "array['7b0b1d3e-6f1b-4c5e-8d6b-111111111111']::uuid[]", "'{10.0.0.0/8}'::cidr[]", "'{192.168.0.1}'::inet[]", "'{1,2}'::oid[]", 'row(1, \'a\')', "'pg_class'::regclass",
    ]
    for (const value of values) await both({ query: `select ${value} as value` })
    await both({ query: `select ${values.map((value, at) => `${value} as v${at}`).join(', ')}` })
    await both({ query: "set bytea_output = 'escape'; select '\\x00ff5c41'::bytea as value" })
  })

  test('several statements answer with the last rows', async () => {
    for (const query of [
      'select 1 as a; select 2 as b', 'select 1 as a; select 2 as b where false', 'select 1 as a; set local work_mem = 4096', 'select 1 where false', '', ';', '-- nothing', 'create temp table t (a int); insert into t values (1) returning a', 'select 1 as a, 2 as a', 'select from generate_series(1, 3)', 'select 1 as "2", 2 as "1", 3 as "quo""ted"',
      'begin; select 1 as a; commit', 'copy (select 1) to stdout', 'copy pg_temp.x from stdin', 'do $$ begin raise notice \'x\'; end $$', 'show server_version_num', 'explain (costs off) select 1',
    ].filter((query) => query !== '')) await both({ query })
    const { body } = await both({ query: 'select current_user, session_user' })
    assert.deepEqual(body, [{ current_user: 'postgres', session_user: 'postgres' }])
  })

  test('parameters are allowed with one statement', async () => {
    await both({ query: 'select $1::int as a, $2::text as b, $3::jsonb as c, $4::int[] as d, $5::bool as e, $6::text as f, $7::text[] as g', parameters: [1, "it's", { a: [1] }, [1, null, 3], true, null, ['a"b', 'c\\d', 'e,f']] })
    await both({ query: 'select 1 as a', parameters: [] })
    await both({ query: 'select $1', parameters: ['x'] })
    for (const body of [{ query: 'select $1::int', parameters: ['x'] }, { query: 'select $1', parameters: [] }, { query: 'select 1; select $1', parameters: [1] }, { query: 'select $1::int, $2::int', parameters: [1] }]) {
      assert.equal((await both(body)).status, 400)
    }
  })

  test('errors have every field of the original’s', async () => {
    for (const query of [
      'selec 1', 'select\n  nothing\nfrom pg_class', 'select from', 'select 1/0', "select 'x'::int", 'insert into public.nothing values (1)', "do $$ begin raise exception 'no' using hint = 'hint', detail = 'detail', errcode = 'P0042'; end $$", 'do $$ begin perform 1/0; end $$', "do $$ begin execute 'selec 1'; end $$",
      'create table refused (a int primary key); insert into refused values (1), (1)', 'create table refused (a int not null); insert into refused values (null)', 'create table refused (b int check (b > 0)); insert into refused values (0)', 'create role x superuser', 'alter system set work_mem = 1', 'select 1; selec 2', '"', "select 'é😀', nothing",
    ]) assert.equal((await both({ query })).status, 400, query)
    assert.equal((await pair.ours('POST', '/query', { query: "copy (select 1) to program 'true'" })).status, 400)
    for (const body of [{}, { query: '' }, { query: 7 }, [], 'x', null, undefined]) {
      const ours = await pair.ours('POST', '/query', body)
      assert.deepEqual(ours, { status: 400, body: { error: 'query not found' } }, JSON.stringify(body))
    }
  })

  test('endless statement is cancelled by its timeout', async () => {
    const running = async () => (await pair.theirs('POST', '/query', { query: "select count(*)::int as n from pg_stat_activity where query like '%endless%' and query not like '%pg_stat_activity%' and state = 'active'" })).body[0].n
    const stubborn = "do $$ begin loop begin perform pg_sleep(100) /* endless */; exception when query_canceled then null; end; end loop; end $$"
    for (const query of ['select pg_sleep(100) /* endless */', stubborn]) {
      const ours = await pair.ours('POST', '/query?queryTimeoutSecs=1', { query })
      assert.deepEqual(ours, { status: 408, body: { error: 'Query read timeout', message: 'Query read timeout' } })
      await eventually(async () => (await running()) === 0)
    }
    const byServer = await pair.ours('POST', '/query?statementTimeoutSecs=1', { query: 'select pg_sleep(100) /* endless */' })
    assert.deepEqual([byServer.status, byServer.body.code], [400, '57014'])
    for (const parameters of ['?queryTimeoutSecs=x', '?statementTimeoutSecs=x']) {
      assert.equal((await pair.ours('POST', `/query${parameters}`, { query: 'select 1' })).status, 400)
    }
  })

  test('a statement ends when its caller disconnects', async () => {
    const leaving = new AbortController()
    const query = "select pg_sleep(100) /* departed */"
    const request = fetch(`${pair.project.url}/pg/query`, { method: 'POST', signal: leaving.signal, headers: { apikey: pair.project.server.keys.SERVICE_ROLE_KEY, 'content-type': 'application/json' }, body: JSON.stringify({ query }) }).catch(() => 'left')
    const running = async () => (await pair.theirs('POST', '/query', { query: "select count(*)::int as n from pg_stat_activity where query like '%departed%' and query not like '%pg_stat_activity%' and state = 'active'" })).body[0].n
    await eventually(async () => (await running()) === 1)
    leaving.abort()
    assert.equal(await request, 'left')
    await eventually(async () => (await running()) === 0)
  })

  test('an answer is limited in rows and bytes', async () => {
    for (const query of ['select * from generate_series(1, 1000000)', 'select from generate_series(1, 1000000)', "select repeat('x', 10000000) as x", "copy (select * from generate_series(1, 1000000)) to stdout", "select repeat(chr(1), 400000) as x"]) {
      const { status, body } = await pair.ours('POST', '/query', { query })
      assert.deepEqual([status, body.code, body.maxResultSize], [400, 'RESULT_SIZE_EXCEEDED', 2 * 1024 * 1024], query)
      assert.match(body.error, /^Query result size \(\d+ bytes\) exceeded the configured limit \(2097152 bytes\)$/)
    }
    assert.deepEqual((await pair.ours('POST', '/query', { query: 'select 1 as a' })).body, [{ a: 1 }])
  })

  test('session settings are reset after each request', async () => {
    const say = (query) => pair.ours('POST', '/query', { query })
    await say("set search_path = nowhere; set role anon; create temp table mine (a int); select pg_advisory_lock(7); begin; lock table public.members")
    assert.equal((await say('select current_user as u')).body[0].u, 'postgres')
    assert.equal((await say('select * from mine')).body.code, '42P01')
    assert.deepEqual((await say('select pg_try_advisory_lock(7) as free')).body, [{ free: true }])
  })

  test('session has the request’s application name', async () => {
    const named = asking(`${pair.project.url}/pg`, { apikey: pair.project.server.keys.SERVICE_ROLE_KEY, 'x-pg-application-name': 'studio' })
    assert.deepEqual((await named('POST', '/query', { query: 'show application_name' })).body, [{ application_name: 'studio' }])
  })

  test('statements are formatted like the original’s', async () => {
    for (const query of ['select 1', "select a,b from t where x=1 and y in (select 1); insert into t(a) values ('x')"]) {
      const [ours, theirs] = await Promise.all([pair.ours('POST', '/query/format', { query }), pair.theirs('POST', '/query/format', { query })])
      assert.equal(ours.status, theirs.status)
      assert.equal(ours.body.replaceAll(/\s+/g, ''), theirs.body.replaceAll(/\s+/g, ''))
    }
    assert.equal((await pair.ours('POST', '/query/format', { query: `select ${'('.repeat(200_000)}` })).status, 400)
    assert.equal((await pair.ours('POST', '/query/format', { query: 'x'.repeat(300_000) })).status, 413)
    assert.equal((await pair.ours('POST', '/query', { query: `select '${'x'.repeat(4_000_000)}'` })).status, 413)
  })

  test('syntax trees are the original’s, in both directions', async () => {
    const statements = [
      'select 1',
      '',
      "select a, b from t where x = 1 and y in (select 1); insert into t (a) values ('it''s');",
      'create table "a b" (id bigint generated always as identity primary key, data jsonb not null default \'{}\', owner uuid references auth.users on delete cascade)',
      'create policy p on t for select to anon using ((select auth.uid()) = owner)',
      'create function f(a int, b text default \'é 😀\') returns setof t language plpgsql as $$ begin return query select * from t; end $$',
      'with recursive r as (select 1 as n union all select n + 1 from r where n < 5) select n, sum(n) over (order by n) from r',
      'merge into t using s on t.id = s.id when matched then update set a = s.a when not matched then do nothing',
    ]
    for (const query of statements) {
      const [ours, theirs] = await Promise.all([pair.ours('POST', '/query/parse', { query }), pair.theirs('POST', '/query/parse', { query })])
      if (theirs.status === 200) {
        assert.deepEqual(ours, theirs, query)
        const back = await Promise.all([pair.ours('POST', '/query/deparse', { ast: ours.body }), pair.theirs('POST', '/query/deparse', { ast: ours.body })])
        assert.deepEqual(back[0], back[1], query)
      } else {
        assert.equal(ours.status, 400, query)
      }
    }
    // The original loses its parser's error and answers 500.
    const [ours, theirs] = await Promise.all([pair.ours('POST', '/query/parse', { query: 'selec 1' }), pair.theirs('POST', '/query/parse', { query: 'selec 1' })])
    assert.deepEqual(ours, { status: 400, body: { error: 'syntax error at or near "selec"' } })
    assert.equal(theirs.status, 500)
    for (const ast of [{}, { stmts: [{ stmt: { Nothing: {} } }] }, [], 'x']) {
      const [ours, theirs] = await Promise.all([pair.ours('POST', '/query/deparse', { ast }), pair.theirs('POST', '/query/deparse', { ast })])
      assert.deepEqual(ours, theirs, JSON.stringify(ast))
    }
    assert.equal((await pair.ours('POST', '/query/parse', { query: 'x'.repeat(300_000) })).status, 413)
    assert.equal((await pair.ours('POST', '/query/parse', { query: `select ${'('.repeat(100_000)}` })).status, 400)
    assert.deepEqual((await pair.ours('POST', '/query/parse', { query: 'select 2' })).body.stmts.length, 1)
  })
})

describe('changes', () => {
  let owner

  before(async () => {
    owner = await connectedAsOwner(pair.project.server)
    await owner.query('create schema ours; create schema theirs')
  })
  after(() => owner?.end())

  /** Makes the same change on both sides, each in its own schema, which bodies and paths name by `$`. */
  async function both(method, path, body) {
    const [ours, theirs] = [await side('ours', method, path, body), await side('theirs', method, path, body)]
    const plain = (answer, name) => JSON.parse(JSON.stringify({ ...answer, body: Array.isArray(answer.body) ? answer.body.map(bare) : bare(answer.body) }).replaceAll(name, '$'))
    assert.deepEqual(plain(ours, 'ours'), plain(theirs, 'theirs'), `${method} ${path} ${JSON.stringify(body)}`)
    return { ours, theirs }
  }
  const numbers = { ours: {}, theirs: {} }
  const side = (name, method, path, body) => {
    const own = (value) => JSON.parse(JSON.stringify(value).replaceAll('$', name), (_, one) => (typeof one === 'string' && one.startsWith('#') ? numbers[name][one.slice(1)] : one))
    const filled = path.replaceAll('$', name).replace(/#(\w+)/, (_, key) => numbers[name][key])
    return pair[name](method, filled, body === undefined ? undefined : own(body))
  }
  /** An object without its ids and sizes, which differ between the schemas. */
  const bare = (object) => {
    const own = (key, value) => {
      if (/^(id|table_id|relation_id|column_id|size|bytes)$/.test(key)) return undefined
      return key === 'error' ? value.replaceAll(/\d+/g, '0') : value
    }
    return still(JSON.parse(JSON.stringify(object ?? null, own)))
  }
  const keep = (name, { ours, theirs }) => {
    numbers.ours[name] = ours.body.id
    numbers.theirs[name] = theirs.body.id
  }

  test('tables and columns are made, changed and dropped', async () => {
    keep('table', await both('POST', '/tables', { name: 'tab', schema: '$', comment: "it's" }))
    keep('id', await both('POST', '/columns', { table_id: '#table', name: 'id', type: 'int8', is_identity: true, identity_generation: 'ALWAYS', is_primary_key: true, is_nullable: false }))
    keep('text', await both('POST', '/columns', { table_id: '#table', name: 'word', type: 'text', default_value: "it's", is_unique: true, comment: 'c', check: "word <> 'x'" }))
    keep('when', await both('POST', '/columns', { table_id: '#table', name: 'made', type: 'timestamptz', default_value: 'now()', default_value_format: 'expression', is_nullable: false }))
    keep('list', await both('POST', '/columns', { table_id: '#table', name: 'list', type: 'int4[]', default_value: '{1}' }))
    for (const body of [{ name: 'text2' }, { is_unique: false }, { is_unique: true }, { check: null }, { check: "text2 <> 'y'" }, { type: 'varchar' }, { drop_default: true }, { default_value: 'z' }, { is_nullable: false, comment: 'd' }, { is_nullable: true }]) await both('PATCH', '/columns/#text', body)
    for (const body of [{ identity_generation: 'BY DEFAULT' }, { is_identity: false }, { is_identity: true, identity_generation: 'ALWAYS' }]) await both('PATCH', '/columns/#id', body)
    for (const body of [{ rls_enabled: true, rls_forced: true }, { rls_enabled: false }, { replica_identity: 'FULL' }, { comment: 'new' }, { primary_keys: [{ name: 'made' }, { name: 'id' }] }, { primary_keys: [] }, { primary_keys: [{ name: 'id' }] }, { name: 'plain' }]) await both('PATCH', '/tables/#table', body)
    await both('GET', '/tables/#table')
    await both('DELETE', '/columns/#list')
    await both('GET', '/columns/#list')
    await both('DELETE', '/tables/#table?cascade=true')
    await both('GET', '/tables/#table')
  })

  test('policies, functions, triggers and privileges are changed', async () => {
    for (const name of ['ours', 'theirs']) await owner.query(`create table ${name}.t (id int primary key, word text); create role ${name}_role`)
    for (const [name, rows] of [['ours', await pair.ours('GET', '/tables?included_schemas=ours')], ['theirs', await pair.theirs('GET', '/tables?included_schemas=theirs')]]) {
      numbers[name].t = rows.body[0].id
      numbers[name].word = `${rows.body[0].id}.2`
    }
    keep('policy', await both('POST', '/policies', { name: 'po"licy', schema: '$', table: 't', definition: 'id > 0', check: 'id > 1', command: 'ALL', roles: ['anon', '$_role'] }))
    for (const body of [{ definition: 'id > 2' }, { check: 'true' }, { roles: ['public'] }, { name: 'other' }]) await both('PATCH', '/policies/#policy', body)
    await both('DELETE', '/policies/#policy')
    keep('function', await both('POST', '/functions', { name: 'f"n', schema: '$', args: ['a int4', 'b text'], definition: 'select a + 1', return_type: 'int4', language: 'sql', behavior: 'STABLE', security_definer: true, config_params: { search_path: 'public, auth' } }))
    for (const body of [{ definition: 'select a + 2' }, { name: 'g' }]) await both('PATCH', '/functions/#function', body)
    await both('DELETE', '/functions/#function')
    await both('POST', '/functions', { name: 'touch', schema: '$', definition: 'begin return new; end', return_type: 'trigger', language: 'plpgsql' })
    keep('trigger', await both('POST', '/triggers', { name: 'tr', schema: '$', table: 't', function_schema: '$', function_name: 'touch', function_args: ["it's", 'b'], activation: 'BEFORE', events: ['INSERT', 'UPDATE OF word'], orientation: 'ROW', condition: 'new.id > 0' }))
    for (const body of [{ enabled_mode: 'DISABLED' }, { enabled_mode: 'REPLICA' }, { enabled_mode: 'ALWAYS' }, { enabled_mode: 'ORIGIN', name: 'tr"2' }]) await both('PATCH', '/triggers/#trigger', body)
    await both('DELETE', '/triggers/#trigger')
    const relation = { relation_id: '#t', grantee: '$_role', privilege_type: 'SELECT' }
    const granted = await side('ours', 'POST', '/table-privileges', [{ ...relation, is_grantable: true }, { relation_id: '#t', grantee: 'public', privilege_type: 'INSERT' }])
    const of = ({ body }) => body[0].privileges.filter(({ grantee }) => grantee !== 'postgres').map(({ grantee, privilege_type: type, is_grantable: mayGrant }) => `${grantee} ${type} ${mayGrant}`).sort()
    assert.deepEqual(of(granted), ['PUBLIC INSERT false', 'ours_role SELECT true'])
    assert.deepEqual(of(await side('ours', 'DELETE', '/table-privileges', [relation])), ['PUBLIC INSERT false'])
    for (const method of ['POST', 'DELETE']) {
      const ours = await side('ours', method, '/column-privileges', [{ column_id: '#word', grantee: '$_role', privilege_type: 'UPDATE' }])
      assert.equal(ours.status, 200)
      const has = ours.body[0].privileges.some(({ grantee }) => grantee === 'ours_role')
      assert.equal(has, method === 'POST')
    }
  })

  test('names with quotes of every kind work', async () => {
    const name = `a "b" 'c' $$ %s \\ é`
    const table = (await pair.ours('POST', '/tables', { name, schema: 'ours', comment: name })).body
    assert.deepEqual([table.name, table.comment], [name, name])
    const column = (await pair.ours('POST', '/columns', { table_id: table.id, name, type: 'text', default_value: name, is_unique: true, comment: name })).body
    assert.deepEqual([column.name, column.comment, column.is_unique], [name, name, true])
    const quoted = `"${name.replaceAll('"', '""')}"`
    for (const check of [`${quoted} <> 'x'`, `${quoted} <> 'y'`, null]) {
      const { status, body } = await pair.ours('PATCH', `/columns/${column.id}`, { check })
      assert.deepEqual([status, body.check === null], [200, check === null], JSON.stringify(body))
    }
    const otherTable = await pair.ours('PATCH', `/columns/${column.id}`, { check: '1 = 1' })
    assert.deepEqual(otherTable, { status: 400, body: { error: 'error creating column constraint: check condition must refer to this column' } })
    assert.equal((await pair.ours('PATCH', `/columns/${column.id}`, { is_unique: false })).body.is_unique, false)
    for (const keys of [[name], []]) {
      const { body } = await pair.ours('PATCH', `/tables/${table.id}`, { primary_keys: keys.map((key) => ({ name: key })) })
      assert.deepEqual(body.primary_keys.map((key) => key.name), keys)
    }
    const role = (await pair.ours('POST', '/roles', { name })).body
    assert.equal(role.name, name)
    for (const [path, id] of [['/table-privileges', { relation_id: table.id }], ['/column-privileges', { column_id: column.id }]]) {
      const { status, body } = await pair.ours('POST', path, [{ ...id, grantee: name, privilege_type: 'SELECT' }])
      assert.equal(status, 200, JSON.stringify(body))
      assert.ok(body[0].privileges.some(({ grantee }) => grantee === name))
      assert.equal((await pair.ours('DELETE', path, [{ ...id, grantee: name, privilege_type: 'SELECT' }])).status, 200)
    }
    const policy = (await pair.ours('POST', '/policies', { name, table: name, schema: 'ours', roles: [name], definition: 'true' })).body
    assert.deepEqual([policy.name, policy.roles], [name, [name]])
    const made = (await pair.ours('POST', '/functions', { name, schema: 'ours', definition: `select '$$'`, return_type: 'text' })).body
    assert.equal((await pair.ours('PATCH', `/functions/${made.id}`, { definition: `select '$x$'` })).body.definition, `select '$x$'`)
    for (const path of [`/policies/${policy.id}`, `/functions/${made.id}`, `/columns/${column.id}`, `/tables/${table.id}`, `/roles/${role.id}`]) {
      assert.equal((await pair.ours('DELETE', path)).status, 200, path)
    }
  })

  test('schemas, roles, publications and extensions are changed', async () => {
    keep('schema', await both('POST', '/schemas', { name: '$ "x"', owner: 'postgres' }))
    await both('PATCH', '/schemas/#schema', { name: '$ y' })
    await both('DELETE', '/schemas/#schema?cascade=true')
    keep('role', await both('POST', '/roles', { name: '$ role', can_login: true, can_create_db: true, connection_limit: 3, password: "it's", valid_until: '2030-01-01', config: { search_path: 'public, auth', statement_timeout: '5s' } }))
    for (const body of [{ can_login: false, inherit_role: false }, { config: [{ op: 'remove', path: 'search_path' }, { op: 'add', path: 'work_mem', value: '4MB' }] }, { connection_limit: 5 }, { name: '$ renamed' }]) await both('PATCH', '/roles/#role', body)
    await both('DELETE', '/roles/#role')
    for (const name of ['ours', 'theirs']) await owner.query(`create table ${name}.p (id int primary key); create table ${name}.q (id int primary key)`)
    keep('publication', await both('POST', '/publications', { name: '$_pub', publish_insert: true, tables: ['$.p'] }))
    for (const body of [{ publish_update: true, publish_insert: false }, { tables: ['$.p', '$.q'] }, { tables: [] }, { tables: ['$.q'] }, { name: '$_pub2' }]) await both('PATCH', '/publications/#publication', body)
    await both('DELETE', '/publications/#publication')
    for (const name of ['ours', 'theirs']) {
      const made = await pair[name]('POST', '/extensions', { name: 'hstore', schema: name })
      assert.deepEqual([made.status, made.body.schema], [200, name], JSON.stringify(made.body))
      assert.equal((await pair[name]('PATCH', '/extensions/hstore', { schema: 'public' })).body.schema, 'public')
      assert.equal((await pair[name]('DELETE', '/extensions/hstore?cascade=true')).status, 200)
      assert.equal((await pair[name]('GET', '/extensions/hstore')).body.installed_version, null)
    }
  })

  test('refused changes leave nothing behind', async () => {
    for (const [method, path, body] of [
      ['POST', '/tables', { name: 't', schema: 'nowhere' }], ['POST', '/schemas', { name: 'pg_x' }], ['DELETE', '/schemas/1', undefined], ['POST', '/columns', { table_id: 1, name: 'a', type: 'int4' }],
      ['POST', '/policies', { name: 'p', table: 'nothing' }], ['PATCH', '/functions/1', { name: 'x' }], ['DELETE', '/roles/1', undefined], ['POST', '/extensions', { name: 'nothing' }], ['PATCH', '/extensions/nothing', { schema: 'public' }],
      ['POST', '/roles', { name: 'boss', is_superuser: true }],
    ]) {
      const [ours, theirs] = [await pair.ours(method, path, body), await pair.theirs(method, path, body)]
      // The original looks the extension up after the statement, our server before it.
      if (method !== 'PATCH') assert.deepEqual(ours, theirs, `${method} ${path}`)
      assert.ok(ours.status === 400 || ours.status === 404, `${method} ${path} ${ours.status}`)
    }
    const table = await pair.ours('POST', '/tables', { name: 'half', schema: 'ours' })
    const half = await pair.ours('PATCH', `/tables/${table.body.id}`, { rls_enabled: true, comment: 'x', schema: 'nowhere' })
    assert.equal(half.status, 400)
    const after = await pair.ours('GET', `/tables/${table.body.id}`)
    assert.deepEqual([after.body.rls_enabled, after.body.comment], [false, null])
    for (const [path, body] of [['/tables', {}], ['/tables', []], ['/tables', 7], ['/tables', { name: {} }], ['/columns', { name: 'x' }], ['/table-privileges', {}], ['/table-privileges', [{ relation_id: 'x' }]], ['/column-privileges', [{ column_id: '1', grantee: 'x', privilege_type: 'SELECT' }]], ['/triggers', { name: 'x' }], ['/roles', { name: 'x', can_login: 'perhaps' }]]) {
      const { status, body: refusal } = await pair.ours('POST', path, body)
      assert.equal(status, 400, `${path} ${JSON.stringify(body)}`)
      assert.equal(typeof refusal.error, 'string')
    }
  })
})

describe('keys', () => {
  test('every original route needs the service key', async () => {
    const { project } = pair
    const { ANON_KEY, SERVICE_ROLE_KEY, SECRET_KEY, PUBLISHABLE_KEY } = project.server.keys
    const { client } = await project.account('ada')
    const { data } = await client.auth.getSession()
    const described = await routesOfPostgresMeta()
    const routes = [...described, ['GET', '/'], ['GET', '/health'], ['GET', '/nothing']]
    assert.ok(routes.length > 60, `${routes.length} routes`)
    for (const [method, path] of routes) {
      const filled = path.replace(/\/columns\/\{.*/, '/columns/1.1').replace(/\{\w+\}/, '1')
      const status = async (headers) => {
        const answer = await fetch(`${project.url}/pg${filled}`, { method, headers })
        assert.ok(!(await answer.text()).includes('error"'), `${method} ${path}`)
        return answer.status
      }
      assert.equal(await status({}), 401, `${method} ${path}`)
      for (const key of ['x', 'a.b.c', `${SERVICE_ROLE_KEY}x`]) assert.equal(await status({ apikey: key }), 401, `${method} ${path}`)
      for (const apikey of [ANON_KEY, PUBLISHABLE_KEY].filter(Boolean)) assert.equal(await status({ apikey }), 403, `${method} ${path}`)
      assert.equal(await status({ apikey: SERVICE_ROLE_KEY, authorization: `Bearer ${data.session.access_token}` }), 403, `${method} ${path}`)
    }
    for (const key of [SERVICE_ROLE_KEY, SECRET_KEY].filter(Boolean)) {
      const ask = asking(`${project.url}/pg`, { apikey: key })
      assert.equal((await ask('GET', '/schemas')).status, 200)
      for (const [method, path] of described.filter(([, path]) => !path.startsWith('/generators'))) {
        const filled = path.replace(/\/columns\/\{.*/, '/columns/1.1').replace(/\{\w+\}/, '1')
        const answer = await ask(method, filled, method === 'GET' ? undefined : {})
        assert.notEqual(answer.body?.error, 'Not found', `${method} ${path}`)
      }
    }
  })
})
