// The current programs on data of each released format.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { runCommand } from '../support/command.mjs'
import { PROGRAMS, readBack } from '../support/format-contents.mjs'
import { scratchFolder, startServer } from '../support/server.mjs'

const FIXTURES = fileURLToPath(new URL('../fixtures/formats', import.meta.url))
const formats = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory())

test('each format since the first has a fixture', () => {
  assert.deepEqual(
    formats.map(({ name }) => Number(name)).sort((a, b) => a - b),
    formats.map((_, at) => at + 1),
  )
})

for (const { name: format } of formats) {
  for (const name of PROGRAMS) {
    test(`${name} serves data of format ${format}`, async () => {
      const scratch = scratchFolder()
      const data = ['--data-dir', scratch.path]
      let server
      try {
        const restored = await runCommand(name, ['restore', join(FIXTURES, format, `${name}.backup`), ...data])
        assert.equal(restored.code, 0, restored.output)
        const before = await runCommand(name, ['upgrade-check', ...data])
        assert.ok([0, 100].includes(before.code), before.output)
        server = await startServer({ name, dataDir: scratch.path })
        await readBack(name, server)
        const after = await runCommand(name, ['upgrade-check', ...data])
        assert.equal(after.code, 0, after.output)
      } finally {
        await server?.stop()
        scratch.remove()
      }
    })
  }
}
