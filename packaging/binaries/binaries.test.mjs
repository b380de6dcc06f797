// The binaries, as an old system meets them. A part of `just dist test`.
import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { oldestGlibc } from '../npm/packages.mjs'
import { GLIBC, PROGRAMS, isVersion, machine } from '../programs.mjs'
import { System, arePortable, bareSystem, binariesOnTrial, has, isRoot, scratchFolder } from '../testing.mjs'
import { neededGlibc } from './build.mjs'

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
    test(`of ${program} asks for no newer glibc than is promised`, portable, () => {
      const needed = neededGlibc(join(folder, program))
      assert.ok(Number(needed.split('.')[1]) <= Number(GLIBC.split('.')[1]), needed)
    })

    test(`of ${program} is told to npm as it is`, () => {
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
        const { code, said } = system.run(program, ['--version'])
        assert.equal(code, 0, said)
        assert.ok(isVersion(said, program), said)
      }
    })
  }
})
