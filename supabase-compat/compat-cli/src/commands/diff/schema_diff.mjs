// Prints the statements that lead from one database to another, as JSON: files of one transaction each,
// and the statements among them that lose rows.
import { Pool } from 'npm:pg@8.23.1'
import {
  plan,
  renderPlanFiles,
  resolveProfile,
  supabasePolicy,
  supabaseProfile,
} from 'npm:@supabase/pg-delta@1.0.0-alpha.34'

const variable = (name) => Deno.env.get(name) ?? ''
const schemas = JSON.parse(variable('DIFF_SCHEMAS') || '[]')

/** The rules of hosted projects; where schemas are named, what lies in others is left out, too. */
function profile() {
  if (!schemas.length) return supabaseProfile
  const others = [
    { match: { all: [{ schema: '*' }, { not: { schema: schemas } }] }, action: 'exclude' },
    { match: { all: [{ kind: 'schema' }, { not: { name: schemas } }] }, action: 'exclude' },
    { match: { kind: ['role', 'membership', 'extension', 'publication', 'eventTrigger'] }, action: 'exclude' },
    { match: { all: [{ target: { schema: '*' } }, { not: { target: { schema: schemas } } }] }, action: 'exclude' },
  ]
  return { ...supabaseProfile, policy: { id: 'schemas', filter: others, extends: [supabasePolicy] } }
}

const [from, to] = ['DIFF_FROM', 'DIFF_TO'].map((name) => new Pool({ connectionString: variable(name), max: 4 }))
try {
  const context = await resolveProfile(from, profile())
  const [before, after] = await Promise.all([context.extract(from), context.extract(to)])
  const found = plan(before.factBase, after.factBase, { ...context.planOptions, renames: 'off' })
  const { files } = renderPlanFiles(found, { allowDrops: true })
  // The rights to settings are those of the services; of all others it says what it cannot compare.
  const isMissed = (one) => one.code === 'unmodeled_kind' && !one.message.includes('"parameter ACL"')
  const unmanaged = [...before.diagnostics, ...after.diagnostics].filter(isMissed).map((one) => one.message)
  console.log(
    JSON.stringify({
      files: files.map((file) => file.contents),
      drops: found.actions.filter((action) => action.dataLoss === 'destructive').map((action) => action.sql),
      unmanaged: [...new Set(unmanaged)],
    }),
  )
} finally {
  await Promise.all([from.end(), to.end()])
}
