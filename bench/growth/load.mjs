// Fills the demonstration's database to the requested sizes, like a site that has grown.
import { readFileSync } from 'node:fs'

import { asOwner, connectedAsOwner } from '../../tests/support/database.mjs'

const sql = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** Durability would take most of the loading time, and the data need not survive a crash. */
const WHILE_LOADING = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }

/** `sizes` holds the `growth.*` settings of the SQL files; `accounts` also loads the administration's data. */
export async function load(server, sizes) {
  const settings = Object.entries(sizes).map(([name, value]) => `set growth.${name} = ${value};`)
  for (const [name, value] of Object.entries(WHILE_LOADING)) await asOwner(server, `alter system set ${name} = ${value}`)
  await asOwner(server, 'select pg_reload_conf()')
  const files = ['../growth.sql', ...(sizes.accounts ? ['administration.sql'] : [])]
  // One session, because the files share temporary objects; one transaction per file, because each takes many locks.
  const client = await connectedAsOwner(server)
  for (const statements of [settings.join('\n'), ...files.map(sql)]) {
    const startedAt = Date.now()
    await client.query(statements)
    if (process.env.BENCH_TELL) console.log(statements.slice(0, 60), Date.now() - startedAt)
  }
  await client.end()
  for (const name of Object.keys(WHILE_LOADING)) await asOwner(server, `alter system reset ${name}`)
  await asOwner(server, 'select pg_reload_conf()')
  await asOwner(server, 'vacuum analyze')
  await asOwner(server, 'checkpoint')
}

/** A quantile: the value that the share `of` of all values does not exceed. */
export function share(values, of) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))]
}
