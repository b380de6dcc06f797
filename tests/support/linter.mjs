// The database linter of the original.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'

const require = createRequire(import.meta.url)
const CLI = join(dirname(require.resolve('@supabase/cli-linux-x64/package.json')), 'bin/supabase')

/** The linter's SQL, read from the official CLI's binary. */
export function linterOfCli() {
  const program = readFileSync(CLI)
  const [from, to] = ["set local search_path = '';", 'policy_name)`.indexOf']
  const end = program.indexOf(to)
  const begin = program.lastIndexOf(from, end)
  assert.ok(begin > 0 && end > begin, 'the CLI has a linter')
  const literal = program.subarray(begin, end + 'policy_name)'.length).toString('utf8')
  return runInNewContext(`\`${literal}\``)
}
