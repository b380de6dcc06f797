// Prepared data folders for the servers of a test run: each initialised, migrated and filled once by `prepare-data.mjs`.
// `startServer` copies them from the folder in `PREPARED_DATA`; without that variable a server starts with an empty folder.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Kinds of servers, and the folder that is prepared for each. */
export const KINDS = [
  { folder: 'palmares', name: 'palmares', command: 'serve', args: [] },
  { folder: 'palmares-demo', name: 'palmares', command: 'serve', args: ['--demo'] },
  { folder: 'supabase-compat', name: 'supabase-compat', command: 'serve', args: [] },
  { folder: 'project', name: 'supabase-compat', command: 'up', args: [] },
]

/** The prepared folder for a server with these arguments; undefined where none fits. */
export function preparedFolder({ name, command, args, env }) {
  const all = process.env.PREPARED_DATA
  if (!all || env.DATABASE_URL || args.includes('--only')) return undefined
  const demo = args.includes('--demo')
  const kind = KINDS.find((kind) => kind.name === name && kind.command === command && kind.args.includes('--demo') === demo)
  return kind && join(all, kind.folder)
}

/** Copies the contents of a folder into an existing one; files keep their owners. */
export async function copyFolder(from, to) {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}
