// What the tests of packages share: the binaries, a scratch folder, a bare system, a server of files.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { isPortable } from './binaries/build.mjs'
import { PROGRAMS, commandOutput, machine, out, root } from './programs.mjs'

export const isRoot = process.getuid() === 0
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target')

/**
 * The folders of tested binaries by machine: those of DIST_BINARIES, or else development builds, which are stripped
 * because symbols make them ten times as large.
 */
export function binariesOnTrial() {
  if (process.env.DIST_BINARIES) return { [machine()]: join(process.env.DIST_BINARIES, machine()) }
  const folder = join(out, 'trial', machine())
  mkdirSync(folder, { recursive: true })
  for (const program of Object.keys(PROGRAMS)) {
    const built = join(target, 'debug', program)
    if (!existsSync(built)) throw new Error(`${built} is not there; build it, or name finished binaries in DIST_BINARIES`)
    const copy = join(folder, program)
    if (existsSync(copy) && statSync(copy).mtimeMs > statSync(built).mtimeMs) continue
    copyFileSync(built, copy)
    spawnSync('strip', [copy])
  }
  return { [machine()]: folder }
}

/** Whether portable binaries are tested; a development build does not run on old systems. */
export function arePortable() {
  const folder = binariesOnTrial()[machine()]
  return process.platform !== 'linux' || Object.keys(PROGRAMS).every((program) => isPortable(join(folder, program)))
}

/** A scratch folder that is removed after the tests of the file. */
export function scratchFolder(after) {
  const path = mkdtempSync(join(tmpdir(), 'palmares-dist-'))
  chmodSync(path, 0o755)
  after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Whether a program is on the path. */
export function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

/** A folder with programs of Python packages, created once; undefined if the packages cannot be installed. */
export function pythonFolder(name, ...packages) {
  const folder = join(out, 'tools', name)
  if (existsSync(join(folder, 'complete'))) return join(folder, 'bin')
  mkdirSync(join(out, 'tools'), { recursive: true })
  execFileSync('python3', ['-m', 'venv', folder])
  if (commandOutput(join(folder, 'bin/pip'), ['install', '--quiet', ...packages]) === undefined) return undefined
  writeFileSync(join(folder, 'complete'), packages.join(' '))
  return join(folder, 'bin')
}

/** Serves the files of a folder on this machine; `stop()` ends it. */
export async function serveFiles(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url, 'http://localhost').pathname)
    if (!existsSync(path)) return response.writeHead(404).end()
    createReadStream(path).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() }
}

/**
 * A bare Debian of a release, made once by mmdebstrap and kept in target/dist; gives the path of its archive, or
 * undefined where the mirror has no such release.
 */
export function bareSystem(suite, include = [], mirror = 'http://deb.debian.org/debian') {
  const folder = join(out, 'systems')
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, `${[suite, ...include].join('+')}.tar`)
  if (existsSync(archive)) return archive
  const made = `${archive}.new.tar`
  const packages = include.length > 0 ? [`--include=${include.join(',')}`] : []
  // Keeps Debian from creating a database cluster of its own.
  const hook = '--essential-hook=mkdir -p "$1/etc/postgresql-common" && echo "create_main_cluster = false" >"$1/etc/postgresql-common/createcluster.conf"'
  const { status } = spawnSync('mmdebstrap', ['--quiet', '--variant=minbase', '--dpkgopt=force-confold', ...packages, hook, suite, made, mirror], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) return undefined
  execFileSync('mv', [made, archive])
  return archive
}

/** A system unpacked from an archive, in which commands run as root with processes of their own. */
export class System {
  constructor(archive, path) {
    this.path = path
    mkdirSync(path, { recursive: true })
    execFileSync('tar', ['-xf', archive, '-C', path])
  }

  /** The command that runs another command inside the system. Host names resolve there as on this machine. */
  within(command, args = []) {
    const script = `
      root=$1; shift
      mount --make-rprivate /
      mount -t proc proc "$root/proc"
      mount --rbind /dev "$root/dev"
      mount -t tmpfs tmpfs "$root/run"
      exec chroot "$root" "$@"`
    return ['unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', this.path, command, ...args]]
  }

  /** Runs a command to its end; returns its exit code and its output. */
  run(command, args = [], env = {}) {
    const [program, words] = this.within(command, args)
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 2 ** 26, env: { ...CLEAN, ...env } })
    return { code: status, output: stdout + stderr }
  }

  /** Starts a command; `line(pattern)` waits for a matching line of its output, `ended` for its end. */
  start(command, args = [], env = {}) {
    const [program, words] = this.within(command, args)
    return running(spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...CLEAN, ...env } }))
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Whether systems can be booted here: root, and a container of systemd. */
export const canBoot = isRoot && has('systemd-nspawn')

/** Boots a system with its systemd, in a network of its own; `run` and `remove` work as without booting. */
export async function boot(system) {
  const bootArgs = ['--quiet', '--directory', system.path, '--boot', '--register=no', '--keep-unit', '--private-network', '--console=pipe']
  const container = running(spawn('systemd-nspawn', bootArgs, { stdio: ['ignore', 'pipe', 'pipe'] }))
  let leader
  const inside = (command, args = [], env = {}) => {
    const { status, stdout, stderr } = spawnSync('nsenter', ['--target', leader, '--all', command, ...args], { encoding: 'utf8', env: { ...CLEAN, ...env } })
    return { code: status, output: stdout + stderr }
  }
  for (;;) {
    leader = spawnSync('pgrep', ['-P', String(container.child.pid)], { encoding: 'utf8' }).stdout.trim().split('\n')[0]
    // The state cannot be read until the bus of the system answers.
    if (leader && /^(running|degraded)$/m.test(inside('systemctl', ['is-system-running']).output)) break
    if (container.child.exitCode !== null) throw new Error(`the system ended:\n${container.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    run: inside,
    async stop() {
      inside('systemctl', ['poweroff', '--no-block'])
      await container.ended
    },
  }
}

const CLEAN = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive', TERM: 'dumb' }

/** The process that `unshare` started; `unshare` forwards no signals to it. */
export function innerPid({ child }) {
  return Number(execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).trim().split('\n')[0])
}

/** Follows a process: `line(pattern)` resolves with the first match in its output, including later output. */
export function running(child) {
  let output = ''
  const waiting = new Set()
  const append = (chunk) => {
    output += chunk
    for (const look of waiting) look()
  }
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const line = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
      ended.then(({ code }) => reject(new Error(`the command ended with ${code} before it printed ${pattern}:\n${output}`)))
    })
  return { child, line, ended, output: () => output }
}
