// Data folders that the servers of a run begin with: each initialised, migrated and filled once, by `prepare-data.mjs`.
// `startServer` copies them where `PREPARED_DATA` names the folder that holds them; without it a server begins with nothing.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What a server may be started with, and the folder that is prepared for it. */
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

/** Copies what a folder holds into another that is there; its files keep their owners. */
export async function copyFolder(from, to) {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}
