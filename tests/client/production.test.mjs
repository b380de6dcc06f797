// A production server refuses to start the demonstration, whose passwords are public.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { binary, scratchFolder } from '../support/server.mjs'

for (const command of [['demo'], ['serve', '--demo', '--port', '0']]) {
  test(`palmares ${command.join(' ')} is refused in production`, () => {
    const folder = scratchFolder()
    try {
      const env = { ...process.env, COMPAT_ENVIRONMENT: 'production' }
      const { status, stderr } = spawnSync(binary('palmares'), [...command, '--data-dir', folder.path], { env, encoding: 'utf8' })
      assert.deepEqual([status, stderr], [1, 'demonstration data is not for production\n'])
      assert.deepEqual(readdirSync(folder.path), [])
    } finally {
      folder.remove()
    }
  })
}
