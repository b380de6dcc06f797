// Every public method of postgrest-js against rest/v1: beside the other services, and alone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PostgrestBuilder, PostgrestClient } from '@supabase/postgrest-js'

import { createClient } from '../../support/client.mjs'
import { build, settings, untilKnown } from '../../support/playground.mjs'
import { startServer } from '../../support/server.mjs'

for (const [mode, args] of [
  ['beside the other services', []],
  ['alone', ['--only', 'rest']],
]) {
  describe(`rest/v1 ${mode}`, () => {
    let server
    let anon

    before(async () => {
      server = await startServer({ name: 'supabase-compat', args, env: settings })
      await build(server)
      anon = createClient(server.url, server.keys.ANON_KEY, { db: { schema: 'playground' } })
      await untilKnown(anon)
    })
    after(() => server?.stop())

    /** The ids of a query's rows, in order. */
    const ids = async (query) => {
      const { data, error } = await query.order('id')
      assert.equal(error, null)
      return data.map((row) => row.id)
    }
    const players = () => anon.from('players').select('id')

    test('the description of a schema is read', async () => {
      const { data, error } = await anon.schema('playground').getOpenApiSpec()
      assert.equal(error, null)
      assert.ok('/players' in data.paths)
    })

    test('filters compare', async () => {
      assert.deepEqual(await ids(players().eq('name', 'Ada')), [1])
      assert.deepEqual(await ids(players().neq('id', 1)), [2, 3, 4])
      assert.deepEqual(await ids(players().gt('score', 10)), [1, 2])
      assert.deepEqual(await ids(players().gte('score', 20)), [1, 2])
      assert.deepEqual(await ids(players().lt('score', 20)), [3])
      assert.deepEqual(await ids(players().lte('score', 20)), [2, 3])
      assert.deepEqual(await ids(players().match({ team_id: 1, active: true })), [1])
      assert.deepEqual(await ids(players().is('active', null)), [3])
      assert.deepEqual(await ids(players().is('active', true)), [1, 4])
      assert.deepEqual(await ids(players().isDistinct('active', true)), [2, 3])
      assert.deepEqual(await ids(players().in('name', ['Ada', 'Carl', 'x,y', '(z)'])), [1, 3])
      assert.deepEqual(await ids(players().notIn('id', [1, 2])), [3, 4])
      assert.deepEqual(await ids(players().in('id', [])), [])
    })

    test('filters match texts', async () => {
      assert.deepEqual(await ids(players().like('name', '%a')), [1, 4])
      assert.deepEqual(await ids(players().ilike('name', 'a%')), [1])
      assert.deepEqual(await ids(players().likeAllOf('name', ['%a%', 'D%'])), [4])
      assert.deepEqual(await ids(players().likeAnyOf('name', ['A%', 'C%'])), [1, 3])
      assert.deepEqual(await ids(players().ilikeAllOf('name', ['%A%', 'd%'])), [4])
      assert.deepEqual(await ids(players().ilikeAnyOf('name', ['a%', 'c%'])), [1, 3])
      assert.deepEqual(await ids(players().regexMatch('name', '^[AC]')), [1, 3])
      assert.deepEqual(await ids(players().regexIMatch('name', '^[ac]')), [1, 3])
      assert.deepEqual(await ids(players().textSearch('bio', 'fox')), [1])
      assert.deepEqual(await ids(players().textSearch('bio', 'lazy dog', { type: 'plain', config: 'english' })), [2])
      assert.deepEqual(await ids(players().textSearch('bio', 'lazy dog', { type: 'phrase' })), [2])
      assert.deepEqual(await ids(players().textSearch('bio', 'fox or dog', { type: 'websearch' })), [1, 2])
      assert.deepEqual(await ids(players().eq('bio', 'a (strange), "text"')), [4])
    })

    test('filters match arrays, ranges and JSON', async () => {
      assert.deepEqual(await ids(players().contains('tags', ['math'])), [1, 2])
      assert.deepEqual(await ids(players().containedBy('tags', ['math', 'stars'])), [2, 3, 4])
      assert.deepEqual(await ids(players().overlaps('tags', ['logic', 'stars'])), [1, 3])
      assert.deepEqual(await ids(players().contains('profile', { age: 36 })), [1])
      assert.deepEqual(await ids(players().eq('profile->from->>town', 'London')), [1])
      assert.deepEqual(await ids(players().contains('during', '[6,7)')), [1, 3])
      assert.deepEqual(await ids(players().rangeLt('during', '[12,15)')), [1])
      assert.deepEqual(await ids(players().rangeGt('during', '[1,5)')), [2, 3])
      assert.deepEqual(await ids(players().rangeGte('during', '[5,8)')), [2, 3])
      assert.deepEqual(await ids(players().rangeLte('during', '[1,16)')), [1, 3])
      assert.deepEqual(await ids(players().rangeAdjacent('during', '[20,30)')), [2])
    })

    test('filters are negated, joined and written by hand', async () => {
      assert.deepEqual(await ids(players().not('score', 'gt', 10)), [3])
      assert.deepEqual(await ids(players().not('active', 'is', null)), [1, 2, 4])
      assert.deepEqual(await ids(players().or('id.eq.1,and(score.lt.15,active.is.null)')), [1, 3])
      assert.deepEqual(await ids(players().filter('score', 'in', '(10,20)')), [2, 3])
      const { data } = await anon
        .from('teams')
        .select('id, players(id)')
        .or('id.eq.1,name.eq.Ada', { referencedTable: 'players' })
        .order('id')
      assert.deepEqual(data, [
        { id: 1, players: [{ id: 1 }] },
        { id: 2, players: [] },
        { id: 3, players: [] },
      ])
    })

    test('related rows are embedded', async () => {
      const { data, error } = await anon
        .from('players')
        .select('name, team:teams(name), badges(label), label:full_label, town:profile->from->>town, score::text')
        .eq('id', 1)
        .order('label', { referencedTable: 'badges', ascending: false })
        .limit(1, { referencedTable: 'badges' })
        .single()
      assert.equal(error, null)
      assert.deepEqual(data, {
        name: 'Ada',
        team: { name: 'North' },
        badges: [{ label: 'silver' }],
        label: 'Ada #1',
        town: 'London',
        score: '30',
      })
      const inner = await anon.from('teams').select('id, players!inner(id)').eq('players.active', true)
      assert.deepEqual(inner.data, [{ id: 1, players: [{ id: 1 }] }])
      const without = await anon.from('teams').select('id, players()').is('players', null)
      assert.deepEqual(without.data, [{ id: 3 }])
      const spread = await anon.from('players').select('id, ...teams(team:name)').eq('id', 3).single()
      assert.deepEqual(spread.data, { id: 3, team: 'South' })
      const aggregated = await anon.from('teams').select('name, players(score.sum(), count())').order('id').limit(1)
      assert.deepEqual(aggregated.data, [{ name: 'North', players: [{ sum: 50, count: 2 }] }])
      const view = await anon.from('active_players').select('name, teams(name)').eq('id', 1).single()
      assert.deepEqual(view.data, { name: 'Ada', teams: { name: 'North' } })
    })

    test('rows are ordered, cut and counted', async () => {
      const { data, count, status } = await anon
        .from('players')
        .select('id', { count: 'exact' })
        .order('score', { ascending: false, nullsFirst: false })
        .order('id')
        .range(1, 2)
      assert.deepEqual({ data, count, status }, { data: [{ id: 2 }, { id: 3 }], count: 4, status: 206 })
      const nulls = await anon.from('players').select('id').order('score', { nullsFirst: true }).limit(1)
      assert.deepEqual(nulls.data, [{ id: 4 }])
      const related = await anon
        .from('players')
        .select('id, teams(name)')
        .order('teams(name)', { ascending: false, nullsFirst: false })
        .limit(1)
      assert.deepEqual(related.data, [{ id: 3, teams: { name: 'South' } }])
      for (const kind of ['exact', 'planned', 'estimated']) {
        const head = await anon.from('players').select('*', { count: kind, head: true })
        assert.equal(head.error, null)
        assert.equal(head.data, null)
        assert.ok(head.count > 0, kind)
      }
    })

    test('a result has the requested form', async () => {
      const one = await anon.from('players').select('id').eq('id', 1).single()
      assert.deepEqual([one.status, one.data], [200, { id: 1 }])
      const none = await anon.from('players').select('id').eq('id', 99).single()
      assert.deepEqual([none.status, none.error.code], [406, 'PGRST116'])
      const maybe = await anon.from('players').select('id').eq('id', 99).maybeSingle()
      assert.deepEqual([maybe.data, maybe.error], [null, null])
      const many = await anon.from('players').select('id').maybeSingle()
      assert.equal(many.error.code, 'PGRST116')
      const csv = await anon.from('teams').select('id,name').order('id').csv()
      assert.equal(csv.data, 'id,name\n1,North\n2,South\n3,Empty')
      const stripped = await anon.from('players').select('id,score,active').eq('id', 4).stripNulls()
      assert.deepEqual(stripped.data, [{ id: 4, active: true }])
      const strippedOne = await anon.from('players').select('id,score').eq('id', 4).single().stripNulls()
      assert.deepEqual(strippedOne.data, { id: 4 })
      const typed = await anon.from('teams').select('id').eq('id', 1).overrideTypes()
      assert.deepEqual(typed.data, [{ id: 1 }])
      const returned = await anon.from('teams').select('id').eq('id', 1).returns()
      assert.deepEqual(returned.data, [{ id: 1 }])
    })

    test('places come as GeoJSON', async (t) => {
      if (!server.hasPlaces) return t.skip('PostGIS is not installed')
      const { data, error } = await anon.from('places').select().geojson()
      assert.equal(error, null)
      assert.deepEqual(data, {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', geometry: { type: 'Point', coordinates: [2, 48] }, properties: { id: 1, name: 'here' } },
        ],
      })
      const without = await anon.from('teams').select().geojson()
      assert.deepEqual([without.status, without.error.code], [400, '22023'])
    })

    test('plans are explained', async () => {
      const text = await anon.from('players').select().explain()
      assert.match(text.data, /cost=/)
      const all = { analyze: true, verbose: true, settings: true, buffers: true, wal: true }
      const json = await anon.from('players').select().explain({ ...all, format: 'json' })
      assert.equal(json.error, null)
      assert.ok(json.data[0].Plan['Actual Rows'] >= 0)
    })

    test('rows are written and rolled back', async () => {
      const logs = () => anon.from('logs')
      const first = await logs().insert({ line: 'one' })
      assert.deepEqual([first.status, first.data, first.error], [201, null, null])
      const more = await logs().insert([{ line: 'two' }, { line: 'three' }], { count: 'exact' }).select('line').order('line')
      assert.deepEqual([more.status, more.count, more.data], [201, 2, [{ line: 'three' }, { line: 'two' }]])
      const uneven = [{ line: 'four' }, {}]
      const filled = await logs().insert(uneven, { defaultToNull: false }).select('line').order('line')
      assert.deepEqual(filled.data, [{ line: 'empty' }, { line: 'four' }])
      const refused = await logs().insert(uneven)
      assert.deepEqual([refused.status, refused.error.code], [400, '23502'])

      const changed = await logs().update({ line: 'changed' }, { count: 'exact' }).eq('line', 'one').select('line').single()
      assert.deepEqual([changed.status, changed.data], [200, { line: 'changed' }])
      const silent = await logs().update({ line: 'again' }).eq('line', 'changed')
      assert.deepEqual([silent.status, silent.data], [204, null])

      const undone = await logs().delete().eq('line', 'again').select('line').rollback()
      assert.deepEqual(undone.data, [{ line: 'again' }])
      assert.equal((await logs().select('*', { count: 'exact', head: true }).eq('line', 'again')).count, 1)

      const tooMany = await logs().delete({ count: 'exact' }).neq('line', '').maxAffected(2)
      assert.deepEqual([tooMany.status, tooMany.error.code], [400, 'PGRST124'])
      const deleted = await logs().delete({ count: 'exact' }).eq('line', 'again').maxAffected(1)
      assert.deepEqual([deleted.status, deleted.count], [204, 1])
      const cleared = await anon.rpc('clear_logs').select('line').order('line')
      assert.deepEqual(cleared.data.map((row) => row.line), ['empty', 'four', 'three', 'two'])
    })

    test('rows are upserted', async () => {
      const teams = () => anon.from('teams')
      const inserted = await teams().upsert({ id: 7, name: 'Seven' }).select()
      assert.deepEqual([inserted.status, inserted.data], [201, [{ id: 7, name: 'Seven' }]])
      const merged = await teams().upsert({ id: 7, name: 'Sept' }, { count: 'exact' }).select()
      assert.deepEqual([merged.status, merged.data], [200, [{ id: 7, name: 'Sept' }]])
      const byName = await teams().upsert({ id: 8, name: 'Sept' }, { onConflict: 'name' }).select()
      assert.deepEqual(byName.data, [{ id: 8, name: 'Sept' }])
      const ignored = await teams()
        .upsert([{ id: 8, name: 'Other' }, { id: 9, name: 'Nine' }], { ignoreDuplicates: true })
        .select('id')
      assert.deepEqual(ignored.data, [{ id: 9 }])
      assert.equal((await teams().delete().in('id', [8, 9])).status, 204)
    })

    test('procedures are called', async () => {
      assert.equal((await anon.rpc('add', { a: 1, b: 2 })).data, 3)
      assert.equal((await anon.rpc('add', { a: 1 })).data, 11)
      assert.equal((await anon.rpc('add', { a: 1, b: 2 }, { get: true })).data, 3)
      assert.equal((await anon.rpc('total', { numbers: [1, 2, 3] }, { get: true })).data, 6)
      assert.equal((await anon.rpc('total', { numbers: [1, 2, 3] })).data, 6)
      const rows = await anon
        .rpc('scored_over', { minimum: 5 }, { count: 'exact' })
        .select('id, teams(name)')
        .eq('team_id', 1)
        .order('id')
        .limit(1)
      assert.deepEqual([rows.status, rows.count, rows.data], [206, 2, [{ id: 1, teams: { name: 'North' } }]])
      const head = await anon.rpc('scored_over', { minimum: 5 }, { head: true, count: 'exact' })
      assert.deepEqual([head.data, head.count], [null, 3])
      const nothing = await anon.rpc('shout', { words: 'hey' })
      assert.deepEqual([nothing.status, nothing.data], [204, null])
      const unknown = await anon.rpc('ad', { a: 1 })
      assert.deepEqual([unknown.status, unknown.error.code], [404, 'PGRST202'])
      const wrong = await anon.rpc('add', { a: 1, c: 2 })
      assert.equal(wrong.error.hint, 'Perhaps you meant to call the function playground.add(a, b)')
    })

    test('another schema is selected by name', async () => {
      assert.deepEqual((await anon.schema('side').from('things').select()).data, [{ id: 1, what: 'a thing' }])
      assert.equal((await anon.schema('side').rpc('where_am_i')).data, 'side')
      const unknown = await anon.schema('nowhere').from('things').select()
      assert.deepEqual(
        [unknown.status, unknown.error.code, unknown.error.hint],
        [406, 'PGRST106', 'Only the following schemas are exposed: playground, side'],
      )
    })

    test('requests accept header, abort, retry and throw options', async () => {
      const zone = await anon.rpc('zone').setHeader('Prefer', 'timezone=America/Lima')
      assert.equal(zone.data, 'America/Lima')
      const stopped = await anon.from('players').select().abortSignal(AbortSignal.abort())
      assert.ok(stopped.error)
      assert.equal((await anon.from('teams').select('id').eq('id', 1).retry(false)).status, 200)
      const thrown = async () => await anon.from('nowhere').select().throwOnError()
      await assert.rejects(thrown, (error) => {
        assert.equal(error.code, 'PGRST205')
        assert.equal(error.toJSON().code, 'PGRST205')
        return true
      })
    })

    test('refusals carry code, message, details and hint', async () => {
      const closed = await anon.from('closed').select()
      assert.deepEqual(
        [closed.status, closed.statusText, closed.error.code, closed.error.message],
        [401, 'Unauthorized', '42501', 'permission denied for table closed'],
      )
      const near = await anon.from('player').select()
      assert.deepEqual(
        [near.status, near.error.code, near.error.hint],
        [404, 'PGRST205', "Perhaps you meant the table 'playground.players'"],
      )
      const conflict = await anon.from('teams').insert({ id: 1, name: 'x' })
      assert.deepEqual(
        [conflict.status, conflict.error.code, conflict.error.details],
        [409, '23505', 'Key (id)=(1) already exists.'],
      )
      const malformed = await anon.from('players').select('id,,')
      assert.deepEqual([malformed.status, malformed.error.code], [400, 'PGRST100'])
      const service = createClient(server.url, server.keys.SERVICE_ROLE_KEY, { db: { schema: 'playground' } })
      assert.equal((await service.from('closed').select()).status, 200)
    })

    test('the client works without the rest of supabase-js', async () => {
      const headers = { apikey: server.keys.ANON_KEY }
      const client = new PostgrestClient(`${server.url}/rest/v1`, { headers, schema: 'playground' })
      assert.deepEqual((await client.from('teams').select('id').eq('id', 1)).data, [{ id: 1 }])
      if (args.length > 0) {
        const rooted = new PostgrestClient(server.url, { headers, schema: 'playground' })
        assert.deepEqual((await rooted.from('teams').select('id').eq('id', 1)).data, [{ id: 1 }])
      }
    })
  })
}

test('every public builder method is called here', async () => {
  const { readFile } = await import('node:fs/promises')
  const source = await readFile(new URL(import.meta.url), 'utf8')
  const postgrest = await import('@supabase/postgrest-js')
  const inside = new Set(['constructor', 'then', 'processResponse', 'cloneRequestState', 'decorateFetch'])
  const classes = ['Client', 'QueryBuilder', 'FilterBuilder', 'TransformBuilder']
  const builders = classes.map((name) => postgrest[`Postgrest${name}`] ?? postgrest.default?.[`Postgrest${name}`])
  const names = [PostgrestBuilder, ...builders.filter(Boolean)].flatMap((builder) =>
    Object.getOwnPropertyNames(builder.prototype),
  )
  assert.ok(names.includes('rangeAdjacent') && names.includes('upsert'))
  const missing = [...new Set(names)].filter((name) => !inside.has(name) && !source.includes(`.${name}(`))
  assert.deepEqual(missing, [])
})
