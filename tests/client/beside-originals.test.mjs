// Every project of tests/projects beside the originals, each started once: advice beside the linter inside the official
// CLI, types beside the published generators, and the lists and objects of `/pg` beside npm's postgres-meta on the same database.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { connectedAsOwner } from '../support/database.mjs'
import { linterOfCli } from '../support/linter.mjs'
import { assertSameObjects, beside, KINDS, NUMBERED, startPostgresMeta, still } from '../support/postgres-meta.mjs'
import { PROJECTS, STARTING_PROJECTS } from '../support/project.mjs'
import { assertSameTypes, published, schemasOf, written } from '../support/typegen.mjs'

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

/** The schemas that a project's settings expose. */
function exposedSchemas(name) {
  const file = join(PROJECTS, name, 'supabase/config.toml')
  const config = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return config.match(/^schemas\s*=\s*\[(.*?)\]/ms)?.[1].match(/[\w-]+/g) ?? ['public', 'graphql_public']
}

/** Sorted notices, with the members that both sides have. */
const inOrder = (notices) =>
  notices
    .map(({ name, title, level, facing, categories, remediation, metadata, cache_key }) => ({ name, title, level, facing, categories, remediation, metadata, cache_key }))
    .sort((a, b) => `${a.name} ${a.cache_key}`.localeCompare(`${b.name} ${b.cache_key}`))

let meta
let linter

before(async () => {
  linter = linterOfCli()
  meta = await startPostgresMeta()
})
after(() => meta?.stop())

// One project starts while another is compared.
describe('of each project', { concurrency: 2 }, () => {
  for (const name of STARTING_PROJECTS) {
    describe(name, { concurrency: 1 }, () => {
      let pair

      before(async () => (pair = await beside(name, { meta })))
      after(() => pair?.end())

      test('the advice is the original’s', async () => {
        const client = await connectedAsOwner(pair.project.server, 'supabase_admin')
        await client.query('begin')
        await client.query(`set local pgrst.db_schemas = '${exposedSchemas(name).join(',')}'`)
        const answers = await client.query(linter)
        await client.query('rollback')
        await client.end()
        const headers = { apikey: pair.project.server.keys.SUPABASE_SECRET_KEY }
        const answer = await fetch(`${pair.project.url}/advisors/v1`, { headers })
        const { lints } = await answer.json()
        const ours = lints.filter((lint) => lint.metadata.type !== 'setting')
        // The original does not know the console's schema, and a project cannot change that schema.
        const theirs = answers.at(-1).rows.filter((lint) => lint.metadata.schema !== '_console')
        assert.deepEqual(inOrder(ours), inOrder(theirs))
        assert.ok(ours.length > 0 || theirs.length === 0)
      })

      test('the types are those of the published generators', async () => {
        const { server } = pair.project
        const schemas = await schemasOf(server)
        await assertSameTypes(server, ['public'], schemas)
        // The command prints the endpoint's text, so one language suffices; typegen.test.mjs compares all.
        const { typescript } = await published(server, schemas)
        assert.equal(await written(server, join(PROJECTS, name), '--lang', 'typescript', '--schema', schemas.join(',')), typescript)
      })

      test('every list with every parameter is the original’s', async () => {
        // The original reads a table that hosted projects let `postgres` read.
        const owner = await connectedAsOwner(pair.project.server, 'supabase_admin')
        await owner.query('grant select on pg_catalog.pg_authid to postgres')
        await owner.end()
        for (const kind of KINDS.filter((kind) => kind !== 'table-privileges')) {
          for (const parameters of ['', ...(PARAMETERS[kind] ?? [])]) {
            const path = `/${kind}${parameters}`
            const [ours, theirs] = await Promise.all([pair.ours('GET', path), pair.theirs('GET', path)])
            assert.equal(ours.status, 200, path)
            assertSameObjects(ours.body, theirs.body.filter(OWN_DEFINITION), path)
          }
        }
      })

      test('table privileges match the original’s superuser view', async () => {
        // Before PostgreSQL 17 the original queries a privilege that does not exist, and fails for every other login.
        for (const parameters of ['', ...OF_SCHEMAS]) {
          const path = `/table-privileges${parameters}`
          const [ours, theirs] = await Promise.all([pair.ours('GET', path), pair.theirsAsSuperuser('GET', path)])
          const ids = new Set(ours.body.map((one) => one.relation_id))
          assertSameObjects(ours.body, theirs.body.filter((one) => ids.has(one.relation_id)), path)
          const hidden = theirs.body.filter((one) => !ids.has(one.relation_id) && one.schema === 'public')
          assert.deepEqual(hidden, [], path)
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
})
