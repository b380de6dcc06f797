// Generated types for clients: the output of the published generators and of our command for a server's database.
import assert from 'node:assert/strict'

import {
  generateGo,
  generatePython,
  generateSwift,
  generateTypescript,
  introspect,
  sortGeneratorMetadata,
} from '@supabase/postgrest-typegen'

import { runCommand } from './command.mjs'
import { asOwner, connectedAsOwner } from './database.mjs'

/** Output of the published generators for these schemas, by language. */
export async function published(server, schemas) {
  const client = await connectedAsOwner(server)
  try {
    const metadata = sortGeneratorMetadata(await introspect(client, { includedSchemas: schemas }))
    return {
      typescript: await generateTypescript(metadata, { detectOneToOneRelationships: true }),
      go: `${generateGo(metadata)}\n`,
      swift: `${generateSwift(metadata, { accessControl: 'internal' })}\n`,
      python: `${generatePython(metadata)}\n`,
    }
  } finally {
    await client.end()
  }
}

/** Output of our command, with `folder` as the working directory. */
export async function written(server, folder, ...args) {
  const command = ['gen', 'types', ...args, '--data-dir', server.dataDir, '--workdir', folder]
  const { code, stdout, stderr } = await runCommand('supabase-compat', command)
  assert.equal(code, 0, stderr)
  return stdout
}

/** The schemas of a server's database except PostgreSQL's own. */
export async function schemasOf(server) {
  const rows = await asOwner(server, "select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1")
  return rows.map((row) => row.nspname)
}

/** Asserts that a server's /pg/generators answer like the published ones, in every language, for each list of schemas. */
export async function assertSameTypes(server, ...lists) {
  for (const schemas of lists) {
    const expected = await published(server, schemas)
    for (const [language, text] of Object.entries(expected)) {
      const parameters = new URLSearchParams({ included_schemas: schemas.join(','), detect_one_to_one_relationships: 'true' })
      const headers = { apikey: server.keys.SERVICE_ROLE_KEY }
      const answer = await fetch(`${server.url}/pg/generators/${language}?${parameters}`, { headers })
      // The command ends each text with a line break.
      assert.equal(await answer.text(), language === 'typescript' ? text : text.slice(0, -1), `${language} of ${schemas}`)
    }
  }
}

/** The same assertion for the output of our command. */
export async function assertSameWrittenTypes(server, folder, ...lists) {
  for (const schemas of lists) {
    const expected = await published(server, schemas)
    for (const [language, text] of Object.entries(expected)) {
      const output = await written(server, folder, '--lang', language, '--schema', schemas.join(','))
      assert.equal(output, text, `${language} of ${schemas}`)
    }
  }
}
