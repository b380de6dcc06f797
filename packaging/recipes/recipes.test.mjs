// The install script against a file server on this machine; formulas and flake if their tools are installed. A
// part of `just dist test`.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { PROGRAMS, isVersion, machine, version } from '../programs.mjs'
import { binariesOnTrial, has, running, scratchFolder, serveFiles } from '../testing.mjs'
import { makeRecipes } from './make.mjs'

const scratch = scratchFolder(after)
const archives = join(scratch, 'archives')
const recipes = join(scratch, 'recipes')
let files

before(async () => {
  mkdirSync(archives)
  for (const program of Object.keys(PROGRAMS)) {
    const title = `${program}-${version()}-${machine()}`
    mkdirSync(join(scratch, title))
    copyFileSync(join(binariesOnTrial()[machine()], program), join(scratch, title, program))
    execFileSync('tar', ['-czf', join(archives, `${title}.tar.gz`), '-C', scratch, title])
  }
  files = await serveFiles(archives)
  makeRecipes({ archives, downloads: files.url, into: recipes })
})
after(() => files?.stop())

/** Runs the install script with a home folder of its own. */
async function install(program, env = {}) {
  const home = join(scratch, `home-${program}`)
  mkdirSync(home, { recursive: true })
  const child = running(spawn('sh', [join(recipes, `install-${program}.sh`)], { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: '/usr/bin:/bin', HOME: home, ...env } }))
  const { code } = await child.ended
  return { code, output: child.output(), installed: join(env.INSTALL_DIR ?? join(home, '.local/bin'), program) }
}

describe('the install script', () => {
  for (const program of Object.keys(PROGRAMS)) {
    test(`installs ${program}, also a second time`, async () => {
      for (let round = 0; round < 2; round++) {
        const { code, output, installed } = await install(program)
        assert.equal(code, 0, output)
        assert.ok(isVersion(output, program), output)
        assert.match(output, /is not on your PATH/)
        assert.ok(existsSync(installed))
      }
    })
  }

  test('installs nothing where the checksum differs', async () => {
    const other = join(scratch, 'other')
    mkdirSync(other)
    const name = `supabase-compat-${version()}-${machine()}.tar.gz`
    copyFileSync(join(archives, name), join(other, name))
    appendFileSync(join(other, name), 'x')
    const server = await serveFiles(other)
    const folder = join(scratch, 'untouched')
    const { code, output, installed } = await install('supabase-compat', { DOWNLOADS: server.url, INSTALL_DIR: folder })
    server.stop()
    assert.equal(code, 1)
    assert.match(output, /has the SHA-256 [0-9a-f]{64} instead of [0-9a-f]{64}; nothing was installed/)
    assert.ok(!existsSync(installed))
  })

  test('explains that the archive cannot be fetched', async () => {
    const { code, output } = await install('supabase-compat', { DOWNLOADS: `${files.url}/nowhere`, INSTALL_DIR: join(scratch, 'none') })
    assert.equal(code, 1)
    assert.match(output, /cannot be fetched; see that this machine reaches it/)
  })

  test('refuses an unsupported machine', async () => {
    const bin = join(scratch, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'uname'), '#!/bin/sh\ncase $1 in -s) echo Plan9 ;; *) echo mips ;; esac\n', { mode: 0o755 })
    const { code, output } = await install('supabase-compat', { PATH: `${bin}:/usr/bin:/bin` })
    assert.equal(code, 1)
    assert.match(output, /there is no program for Plan9-mips, only for /)
  })

  test('refuses an old or missing glibc', async () => {
    const bin = join(scratch, 'libc')
    mkdirSync(bin)
    for (const [text, expected] of [['echo glibc 2.17', /needs glibc 2\.28 and this system has 2\.17/], ['exit 1', /has no glibc/]]) {
      writeFileSync(join(bin, 'getconf'), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
      const { code, output } = await install('supabase-compat', { PATH: `${bin}:/usr/bin:/bin` })
      assert.equal(code, 1)
      assert.match(output, expected)
    }
  })

  test('passes shellcheck', { skip: has('shellcheck') ? false : 'shellcheck is not here' }, () => {
    execFileSync('shellcheck', [join(recipes, 'install-palmares.sh')], { stdio: 'inherit' })
  })
})

describe('the recipes of other package managers', () => {
  test('contain the checksum of each archive', () => {
    const { stdout } = spawnSync('sha256sum', [join(archives, `palmares-${version()}-${machine()}.tar.gz`)], { encoding: 'utf8' })
    const sum = stdout.split(' ')[0]
    assert.match(readFileSync(join(recipes, 'palmares.rb'), 'utf8'), new RegExp(`sha256 "${sum}"`))
    assert.ok(readFileSync(join(recipes, 'flake.nix'), 'utf8').includes(`sha256-${Buffer.from(sum, 'hex').toString('base64')}`))
  })

  test('the formula is valid Ruby', { skip: has('ruby') ? false : 'ruby is not here' }, () => {
    for (const program of Object.keys(PROGRAMS)) execFileSync('ruby', ['-c', join(recipes, `${program}.rb`)], { stdio: 'inherit' })
  })

  test('the flake is valid Nix', { skip: has('nix-instantiate') ? false : 'nix is not here' }, () => {
    execFileSync('nix-instantiate', ['--parse', join(recipes, 'flake.nix')], { stdio: ['ignore', 'ignore', 'inherit'] })
  })
})
