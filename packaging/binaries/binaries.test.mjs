// The binaries on old systems. A part of `just dist test`.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { oldestGlibc } from '../npm/packages.mjs'
import { GLIBC, PROGRAMS, isVersion, machine } from '../programs.mjs'
import { System, arePortable, bareSystem, binariesOnTrial, has, isRoot, pythonFolder, scratchFolder } from '../testing.mjs'
import { neededGlibc } from './build.mjs'
import { componentsOf, isAccepted, licencesText, sbom } from './contents.mjs'

const scratch = scratchFolder(after)
const folder = binariesOnTrial()[machine()]
const portable = { skip: arePortable() ? false : 'a development build asks for the glibc of this machine' }

/** Old releases and their glibc: Debian 11, and Debian 10 where DIST_OLD_MIRROR names a mirror that still has it. */
const SYSTEMS = [
  ['buster', '2.28', process.env.DIST_OLD_MIRROR],
  ['bullseye', '2.31', process.env.DIST_MIRROR],
]

describe('a binary for Linux', () => {
  for (const program of Object.keys(PROGRAMS)) {
    test(`of ${program} requires no newer glibc than declared`, portable, () => {
      const needed = neededGlibc(join(folder, program))
      assert.ok(Number(needed.split('.')[1]) <= Number(GLIBC.split('.')[1]), needed)
    })

    test(`of ${program} declares its required glibc to npm`, () => {
      assert.equal(oldestGlibc(join(folder, program)), neededGlibc(join(folder, program)))
    })
  }

  for (const [suite, glibc, mirror] of SYSTEMS) {
    test(`starts where glibc is ${glibc}`, portable, (context) => {
      if (!isRoot || !has('mmdebstrap')) return context.skip('only root makes systems, by mmdebstrap')
      if (suite === 'buster' && !mirror) return context.skip('DIST_OLD_MIRROR names no mirror')
      const archive = bareSystem(suite, [], mirror)
      if (!archive) return context.skip(`the mirror has no ${suite}`)
      const system = new System(archive, join(scratch, suite))
      for (const program of Object.keys(PROGRAMS)) {
        copyFileSync(join(folder, program), join(system.path, 'usr/bin', program))
        const { code, output } = system.run(program, ['--version'])
        assert.equal(code, 0, output)
        assert.ok(isVersion(output, program), output)
      }
    })
  }
})

describe('the components of a program', () => {
  test('have accepted licences', () => {
    for (const program of Object.keys(PROGRAMS)) {
      const components = componentsOf(program)
      assert.ok(components.length > 100)
      const text = licencesText(components)
      for (const name of ['tokio', 'rustls', 'aws-lc-sys']) assert.match(text, new RegExp(`^${name} [0-9.]+ \\(`, 'm'))
      assert.equal(/^react [0-9.]+ \(MIT\)/m.test(text), program === 'palmares')
    }
  })

  test('are refused with another licence', () => {
    assert.ok(isAccepted('ISC AND (Apache-2.0 OR GPL-2.0) AND OpenSSL'))
    assert.ok(isAccepted('GPL-2.0 OR Apache-2.0 WITH LLVM-exception'))
    for (const expression of ['GPL-3.0', 'MIT AND (GPL-3.0 OR SSPL-1.0)', 'unknown', '', 'MIT GPL-3.0']) assert.ok(!isAccepted(expression), expression)
  })

  test('are listed in a valid bill of materials', (context) => {
    const folder = pythonFolder('cyclonedx', 'cyclonedx-python-lib[json-validation]')
    if (!folder) return context.skip('cyclonedx-python-lib cannot be had')
    for (const program of Object.keys(PROGRAMS)) {
      const text = JSON.stringify(sbom(program, componentsOf(program)))
      const { stdout, stderr } = spawnSync(join(folder, 'python'), ['-c', VALIDATE], { input: text, encoding: 'utf8' })
      assert.equal(stdout.trim(), 'None', stderr)
    }
  })
})

const VALIDATE = `
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
print(JsonStrictValidator(SchemaVersion.V1_5).validate_str(sys.stdin.read()))
`
