// The packages of Debian in a bare system: installed, served from, upgraded, removed, purged. A part of `just dist test`,
// for root with mmdebstrap.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { PROGRAMS } from '../programs.mjs'
import { System, bareSystem, binariesOnTrial, boot, canBoot, freePort, has, innerPid, isRoot, scratchFolder } from '../testing.mjs'
import { makeDebs } from './make.mjs'

const possible = isRoot && has('mmdebstrap') && has('dpkg-deb')
const scratch = scratchFolder(after)
const SUITE = process.env.DIST_SUITE ?? 'bookworm'
/** The version that follows every release. */
const NEWER = '999.0.0'

let debs
let newer
let system

/** The path of the package of a program. */
const packageOf = (program, paths = debs) => paths.find((path) => path.includes(`/${program}_`))

/** Installs a package that lies on this machine. */
function install(path, env) {
  cpSync(path, join(system.path, 'tmp/package.deb'))
  return system.run('dpkg', ['-i', '/tmp/package.deb'], env)
}

/** Every file below a folder with its owner, mode, size and time. */
const listing = (folder) => system.run('find', [folder, '-printf', '%p %u %m %s %T@\n']).output

/** Names and values of a unit's section. */
const unit = (name) =>
  readFileSync(join(system.path, 'lib/systemd/system', name), 'utf8')
    .split('\n')
    .map((line) => /^(\w+)=(.*)$/.exec(line))
    .filter(Boolean)
    .map(([, key, value]) => [key, value])

/** Starts what the unit starts, as the account and with the settings that it names, and waits until it is ready. */
async function serve(program) {
  const settings = unit(`${program}.service`)
  const values = (key) => settings.filter(([name]) => name === key).map(([, value]) => value)
  const [user] = values('User')
  const ports = { PORT: await freePort(), ADMIN_PORT: await freePort() }
  const environment = [...values('Environment').flatMap((text) => text.split(' ')), ...Object.entries(ports).map(([name, value]) => `${name}=${value}`)]
  // Creates the folder that systemd creates for StateDirectory.
  system.run('install', ['-d', '-o', user, '-g', user, '-m', '750', `/var/lib/${values('StateDirectory')[0]}`])
  const server = system.start('setpriv', ['--reuid', user, '--regid', user, '--init-groups', '--no-new-privs', 'env', ...environment, ...values('ExecStart')[0].split(' ')])
  const [, url] = await server.line(/^ready (\S+)$/m)
  return {
    url,
    health: () => system.run('env', [...environment, program, 'health']),
    async stop() {
      process.kill(innerPid(server), 'SIGTERM')
      return (await server.ended).code
    },
  }
}

describe('a package of Debian', { skip: possible ? false : 'only root makes systems, by mmdebstrap', concurrency: 1 }, () => {
  before(() => {
    const folders = binariesOnTrial()
    debs = makeDebs(folders, { into: join(scratch, 'debs'), isTrial: true })
    newer = makeDebs(folders, { into: join(scratch, 'newer'), debVersion: NEWER, isTrial: true })
    const archive = bareSystem(SUITE, ['adduser', 'postgresql', 'systemd-sysv'])
    system = new System(archive, join(scratch, 'system'))
  })
  after(() => system?.remove())

  test('contains the files that its fields declare', () => {
    for (const program of Object.keys(PROGRAMS)) {
      const lines = execFileSync('dpkg-deb', ['--contents', packageOf(program)], { encoding: 'utf8' }).trim().split('\n')
      const contents = lines.map((line) => line.split(/\s+/).at(-1).replace(/^\.\//, '').replace(/^usr\/lib\//, 'lib/'))
      for (const path of [
        `usr/bin/${program}`,
        `etc/${program}/${program}.env`,
        `lib/systemd/system/${program}.service`,
        `usr/share/man/man1/${program}.1.gz`,
        `usr/share/man/man1/${program}-serve.1.gz`,
        `usr/share/bash-completion/completions/${program}`,
        `usr/share/doc/${program}/copyright`,
        `usr/share/doc/${program}/THIRD-PARTY.txt.gz`,
      ]) {
        assert.ok(contents.includes(path), `${path} is missing in ${contents}`)
      }
      assert.match(execFileSync('dpkg-deb', ['--field', packageOf(program), 'Depends'], { encoding: 'utf8' }), /libc6 \(>= 2\.28\)/)
    }
  })

  test('passes lintian without errors', { skip: has('lintian') ? false : 'lintian is not here' }, () => {
    for (const path of debs) {
      const { stdout, stderr } = spawnSync('lintian', ['--allow-root', '--fail-on', 'none', '--tag-display-limit', '0', path], { encoding: 'utf8' })
      const errors = stdout.split('\n').filter((line) => line.startsWith('E: ') && !KNOWN.some((tag) => line.includes(tag)))
      assert.deepEqual(errors, [], stdout + stderr)
    }
  })

  test('creates its own account at installation', () => {
    for (const program of Object.keys(PROGRAMS)) {
      const { code, output } = install(packageOf(program))
      assert.equal(code, 0, output)
      assert.match(system.run('getent', ['passwd', program]).output, new RegExp(`^${program}:.*:/var/lib/${program}:/usr/sbin/nologin$`, 'm'))
      assert.match(system.run(program, ['--version']).output, new RegExp(`^${program} `))
      assert.equal(statSync(join(system.path, 'etc', program, `${program}.env`)).mode & 0o777, 0o640)
      assert.ok(!existsSync(join(system.path, 'var/lib', program)), 'data are made by the service')
    }
    const wanted = (program) => existsSync(join(system.path, 'etc/systemd/system/multi-user.target.wants', `${program}.service`))
    const isEnabled = (program) => wanted(program) || system.run('systemctl', ['is-enabled', program]).output.trim() === 'enabled'
    assert.deepEqual(Object.keys(PROGRAMS).map(isEnabled), [false, true])
  })

  test('contains a sandboxed unit that systemd accepts', () => {
    for (const program of Object.keys(PROGRAMS)) {
      const checked = system.run('systemd-analyze', ['verify', `/lib/systemd/system/${program}.service`])
      assert.ok(!checked.output.includes(program), checked.output)
      const { code, output } = system.run('systemd-analyze', ['security', '--offline=true', '--threshold=30', '--no-pager', `/lib/systemd/system/${program}.service`])
      assert.equal(code, 0, output)
      console.log(output.trim().split('\n').at(-1))
    }
  })

  test('keeps data and settings through an upgrade', async () => {
    const program = 'palmares'
    const first = await serve(program)
    assert.equal((await fetch(`${first.url}/auth/v1/health`)).status, 200)
    const { code, output } = first.health()
    assert.equal(code, 0, output)
    assert.equal(await first.stop(), 0)
    assert.equal(first.health().code, 1)
    const settings = join(system.path, 'etc/palmares/palmares.env')
    appendFileSync(settings, 'LOG_FORMAT=json\n')
    const before = listing('/var/lib/palmares')
    assert.match(before, /keys\.json/)
    const upgraded = install(packageOf(program, newer))
    assert.equal(upgraded.code, 0, upgraded.output)
    assert.equal(listing('/var/lib/palmares'), before)
    assert.match(readFileSync(settings, 'utf8'), /LOG_FORMAT=json/)
    const again = await serve(program)
    assert.equal((await fetch(`${again.url}/auth/v1/health`)).status, 200)
    assert.equal(await again.stop(), 0)
  })

  test('leaves data and settings when it is removed', () => {
    const before = listing('/var/lib/palmares')
    const { code, output } = system.run('dpkg', ['--remove', 'palmares'])
    assert.equal(code, 0, output)
    assert.equal(listing('/var/lib/palmares'), before)
    assert.ok(!existsSync(join(system.path, 'usr/bin/palmares')))
    assert.ok(existsSync(join(system.path, 'etc/palmares/palmares.env')))
  })

  test('keeps data at a purge by default', () => {
    const { code, output } = system.run('dpkg', ['--purge', 'palmares'])
    assert.equal(code, 0, output)
    assert.match(output, /The database and the keys stay in \/var\/lib\/palmares/)
    assert.ok(existsSync(join(system.path, 'var/lib/palmares/keys.json')))
    assert.ok(!existsSync(join(system.path, 'etc/palmares')))
  })

  test('removes data at a purge when confirmed', () => {
    assert.equal(install(packageOf('palmares')).code, 0)
    writeFileSync(join(system.path, 'tmp/answers'), 'palmares palmares/purge-data boolean true\n')
    assert.equal(system.run('debconf-set-selections', ['/tmp/answers']).code, 0)
    const { code, output } = system.run('dpkg', ['--purge', 'palmares'])
    assert.equal(code, 0, output)
    assert.ok(!existsSync(join(system.path, 'var/lib/palmares')))
    assert.equal(system.run('getent', ['passwd', 'palmares']).code, 2)
  })
})

describe('the service under systemd', { skip: possible && canBoot ? false : 'only root boots systems, by systemd-nspawn', concurrency: 1 }, () => {
  const program = 'palmares'
  let machine
  let files

  const systemctl = (...args) => machine.run('systemctl', args)
  const property = (name) => systemctl('show', '--property', name, '--value', program).output.trim()
  const health = () => machine.run(program, ['health'], { ADMIN_PORT: '8001' })

  before(async () => {
    debs ??= makeDebs(binariesOnTrial(), { into: join(scratch, 'debs'), isTrial: true })
    newer ??= makeDebs(binariesOnTrial(), { into: join(scratch, 'newer'), debVersion: NEWER, isTrial: true })
    files = new System(bareSystem(SUITE, ['adduser', 'postgresql', 'systemd-sysv']), join(scratch, 'booted'))
    cpSync(packageOf(program), join(files.path, 'root/first.deb'))
    cpSync(packageOf(program, newer), join(files.path, 'root/newer.deb'))
    machine = await boot(files)
  })
  after(async () => {
    await machine?.stop()
    files?.remove()
  })

  test('starts at installation and notifies systemd', () => {
    const { code, output } = machine.run('dpkg', ['-i', '/root/first.deb'])
    assert.equal(code, 0, output)
    assert.equal(property('ActiveState'), 'active', systemctl('status', program).output)
    assert.equal(property('StatusText'), 'serving http://localhost:8000')
    assert.equal(property('NotifyAccess'), 'main')
    assert.equal(health().code, 0, health().output)
    assert.equal(machine.run('stat', ['-c', '%U %a', '/var/lib/palmares']).output.trim(), 'palmares 750')
  })

  test('starts again when it is killed', async () => {
    const pid = property('MainPID')
    assert.equal(systemctl('kill', '--kill-who=main', '--signal=KILL', program).code, 0)
    // Right after the kill, systemd calls the service active and knows no process of it.
    while (property('NRestarts') !== '1' || property('ActiveState') !== 'active') await new Promise((resolve) => setTimeout(resolve, 100))
    assert.notEqual(property('MainPID'), pid)
    assert.equal(health().code, 0)
  })

  test('keeps its process during a reload', () => {
    const pid = property('MainPID')
    assert.equal(systemctl('reload', program).code, 0)
    assert.equal(property('MainPID'), pid)
    assert.equal(health().code, 0)
  })

  test('restarts at an upgrade and keeps its keys', () => {
    const keys = () => machine.run('sha256sum', ['/var/lib/palmares/keys.json']).output
    const [before, pid] = [keys(), property('MainPID')]
    const { code, output } = machine.run('dpkg', ['-i', '/root/newer.deb'])
    assert.equal(code, 0, output)
    assert.equal(property('ActiveState'), 'active', systemctl('status', program).output)
    assert.notEqual(property('MainPID'), pid)
    assert.equal(keys(), before)
    assert.equal(health().code, 0)
  })

  test('stops gracefully, and when it is removed', () => {
    assert.equal(systemctl('stop', program).code, 0)
    assert.deepEqual([property('Result'), property('ExecMainStatus')], ['success', '0'])
    assert.equal(systemctl('start', program).code, 0)
    const { code, output } = machine.run('dpkg', ['--remove', program])
    assert.equal(code, 0, output)
    assert.notEqual(systemctl('is-active', program).output.trim(), 'active')
    assert.equal(machine.run('find', ['/proc', '-maxdepth', '1', '-user', program]).output, '')
    assert.equal(machine.run('test', ['-f', '/var/lib/palmares/keys.json']).code, 0)
  })
})

/** Tags that we know of: the one question is asked at a purge, so there is nothing to configure before. */
const KNOWN = ['no-debconf-config']
