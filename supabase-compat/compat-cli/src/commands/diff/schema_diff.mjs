// Finds the statements that lead from one database to another: files of one transaction each, and the statements among
// them that lose rows. A question names the addresses of both and the schemas to look at, all where there are none; with
// `fromKey` and `toKey`, which stand for what is in the databases, a schema that was read before is not read again.
import { Pool } from 'npm:pg@8.23.1'
import {
  plan,
  renderPlanFiles,
  resolveProfile,
  supabasePolicy,
  supabaseProfile,
} from 'npm:@supabase/pg-delta@1.0.0-alpha.34'

/** The rules of hosted projects; where schemas are named, what lies in others is left out, too. */
function profile(schemas) {
  if (!schemas.length) return supabaseProfile
  const others = [
    { match: { all: [{ schema: '*' }, { not: { schema: schemas } }] }, action: 'exclude' },
    { match: { all: [{ kind: 'schema' }, { not: { name: schemas } }] }, action: 'exclude' },
    { match: { kind: ['role', 'membership', 'extension', 'publication', 'eventTrigger'] }, action: 'exclude' },
    { match: { all: [{ target: { schema: '*' } }, { not: { target: { schema: schemas } } }] }, action: 'exclude' },
  ]
  return { ...supabaseProfile, policy: { id: 'schemas', filter: others, extends: [supabasePolicy] } }
}

/** Schemas that were read last, by their keys. */
let read = new Map()

async function answer({ from, to, schemas, fromKey, toKey }) {
  const [one, other] = [from, to].map((address) => new Pool({ connectionString: address, max: 4 }))
  try {
    const context = await resolveProfile(one, profile(schemas))
    const schemaOf = (pool, key) => (key && read.get(key)) ?? context.extract(pool)
    const [before, after] = await Promise.all([schemaOf(one, fromKey), schemaOf(other, toKey)])
    read = new Map([[fromKey, before], [toKey, after]].filter(([key]) => key))
    const found = plan(before.factBase, after.factBase, { ...context.planOptions, renames: 'off' })
    const { files } = renderPlanFiles(found, { allowDrops: true })
    // The rights to settings are those of the services; of all others it says what it cannot compare.
    const isMissed = (one) => one.code === 'unmodeled_kind' && !one.message.includes('"parameter ACL"')
    const unmanaged = [...before.diagnostics, ...after.diagnostics].filter(isMissed).map((one) => one.message)
    return {
      files: files.map((file) => file.contents),
      statements: found.actions.length,
      drops: found.actions.filter((action) => action.dataLoss === 'destructive').map((action) => action.sql),
      unmanaged: [...new Set(unmanaged)],
    }
  } finally {
    await Promise.all([one.end(), other.end()])
  }
}
