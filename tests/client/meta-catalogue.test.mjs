// Every list and every object of `/pg` over every project, against npm's postgres-meta on the same database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { connectedAsOwner } from '../support/database.mjs'
import { beside, KINDS, NUMBERED, startPostgresMeta, still, stillAll } from '../support/postgres-meta.mjs'
import { STARTING_PROJECTS } from '../support/project.mjs'

const OF_SCHEMAS = ['?include_system_schemas=true', '?included_schemas=public,storage', '?excluded_schemas=public,auth', '?include_system_schemas=true&excluded_schemas=public']
const OF_COLUMNS = ['?include_columns=true', '?include_columns=false']
/** Parameters of lists, by kind. */
const PARAMETERS = {
  schemas: ['?include_system_schemas=true'],
  tables: [...OF_SCHEMAS, ...OF_COLUMNS],
  columns: OF_SCHEMAS,
  types: [...OF_SCHEMAS, '?include_array_types=true'],
  functions: OF_SCHEMAS,
  triggers: OF_SCHEMAS,
  indexes: OF_SCHEMAS,
  policies: OF_SCHEMAS,
  roles: ['?include_default_roles=true'],
  views: [...OF_SCHEMAS, ...OF_COLUMNS],
  'materialized-views': ['?included_schemas=public,storage', '?excluded_schemas=public,auth', ...OF_COLUMNS],
  'foreign-tables': OF_COLUMNS,
  'column-privileges': OF_SCHEMAS,
}
/** An index has its own definition here; the original gives it those of all indexes of its name. */
const OWN_DEFINITION = (one) => one.index_definition === undefined || [`ON ${one.schema}.`, `ON ONLY ${one.schema}.`].some((words) => one.index_definition.includes(words))

for (const name of STARTING_PROJECTS) {
  describe(`the catalogue of ${name}`, () => {
    let pair

    before(async () => {
      pair = await beside(name)
      const owner = await connectedAsOwner(pair.project.server, 'supabase_admin')
      // The original reads a table that hosted projects let `postgres` read.
      await owner.query('grant select on pg_catalog.pg_authid to postgres')
      await owner.end()
    })
    after(() => pair?.end())

    test('every list with every parameter is the original’s', async () => {
      for (const kind of KINDS.filter((kind) => kind !== 'table-privileges')) {
        for (const parameters of ['', ...(PARAMETERS[kind] ?? [])]) {
          const path = `/${kind}${parameters}`
          const [ours, theirs] = await Promise.all([pair.ours('GET', path), pair.theirs('GET', path)])
          assert.equal(ours.status, 200, path)
          assert.deepEqual(stillAll(ours.body), stillAll(theirs.body.filter(OWN_DEFINITION)), path)
        }
      }
    })

    test('privileges on tables are those that the original shows a superuser', async () => {
      // Before PostgreSQL 17 it asks for a privilege that is not there, and fails for every other login.
      const superuser = await startPostgresMeta(pair.project.server, { role: 'supabase_admin' })
      try {
        for (const parameters of ['', ...OF_SCHEMAS]) {
          const path = `/table-privileges${parameters}`
          const [ours, theirs] = await Promise.all([pair.ours('GET', path), superuser.ask('GET', path)])
          const ids = new Set(ours.body.map((one) => one.relation_id))
          assert.deepEqual(stillAll(ours.body), stillAll(theirs.body.filter((one) => ids.has(one.relation_id))), path)
          const hidden = theirs.body.filter((one) => !ids.has(one.relation_id) && one.schema === 'public')
          assert.deepEqual(hidden, [], path)
        }
      } finally {
        await superuser.stop()
      }
    })

    test('every object alone is the original’s', async () => {
      for (const kind of NUMBERED) {
        const { body } = await pair.ours('GET', `/${kind}?limit=12`)
        for (const { id } of body) {
          const path = `/${kind}/${id}`
          const [ours, theirs] = await Promise.all([pair.ours('GET', path), pair.theirs('GET', path)])
          if (!OWN_DEFINITION(theirs.body)) theirs.body.index_definition = ours.body.index_definition
          assert.deepEqual([ours.status, still(ours.body)], [theirs.status, still(theirs.body)], path)
        }
      }
    })
  })
}
