// Time from nothing to the first answer, and disk space, for each way to install the programs. Needs root on Debian,
// mmdebstrap, buildah, and portable binaries in DIST_BINARIES; the result names what is missing.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'

import { findBinaries, makeArchives } from '../packaging/binaries/build.mjs'
import { makeDebs } from '../packaging/deb/make.mjs'
import { startContained } from '../packaging/image/contained.mjs'
import { makeImages } from '../packaging/image/make.mjs'
import { publish, startRegistry } from '../packaging/npm/registry.mjs'
import { machine } from '../packaging/programs.mjs'
import { makeRecipes } from '../packaging/recipes/make.mjs'
import { System, bareSystem, freePort, has, innerPid, isRoot, running, serveFiles } from '../packaging/testing.mjs'
import { scratchFolder } from '../tests/support/server.mjs'

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`
const sizeOf = (path) => Number(execFileSync('du', ['-sb', path], { encoding: 'utf8' }).split('\t')[0])

/** Seconds until the server that `start` starts has printed `ready` and answered once; stops it then. */
async function untilAnswer(start) {
  const began = performance.now()
  const { server, stop } = await start()
  const [, url] = await server.line(/^ready (\S+)$/m)
  const response = await fetch(`${url}/auth/v1/health`)
  if (!response.ok) throw new Error(`the health check answered ${response.status}`)
  const seconds = (performance.now() - began) / 1000
  await stop()
  return seconds
}

export async function install() {
  if (!isRoot) return 'Not measured: only root makes bare systems.'
  const missing = ['mmdebstrap', 'buildah', 'npm'].filter((tool) => !has(tool))
  if (missing.length > 0) return `Not measured: ${missing.join(', ')} is not here.`
  // Building portable binaries would take longer than all measurements.
  if (!process.env.DIST_BINARIES) return 'Not measured: DIST_BINARIES names no portable binaries.'
  const scratch = scratchFolder()
  try {
    const folders = findBinaries()
    const rows = []
    for (const measure of [npx, script, deb, image]) rows.push(...(await measure(folders, scratch.path)))
    const sizes = ['palmares', 'supabase-compat'].map((program) => `\`${program}\` ${megabytes(statSync(join(folders[machine()], program)).size)}`)
    return [
      '| way | to the first answer | fetched | on the disk, without data |',
      '|---|---|---|---|',
      ...rows,
      '',
      `Registries and archives are on the same machine, so no network is in these times. Binaries: ${sizes.join(', ')}. The load average was ${loadavg()[1].toFixed(1)} on two cores: a quiet machine is faster.`,
    ].join('\n')
  } finally {
    scratch.remove()
  }
}

/** npx with an empty npm cache, then with the filled cache and a new database. */
async function npx(folders, scratch) {
  const registry = await startRegistry(scratch)
  try {
    publish(registry, folders, scratch)
    const home = join(scratch, 'home')
    mkdirSync(home)
    const env = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':'), HOME: home, npm_config_registry: registry.url, npm_config_update_notifier: 'false' }
    const start = (name) => () => {
      const args = ['--mount', 'sh', '-c', 'mount -t tmpfs none /usr/lib/postgresql; exec "$@"', 'sh', 'npx', '--yes', 'supabase-compat', 'serve', '--port', '0', '--data-dir', join(scratch, name)]
      const server = running(spawn('unshare', args, { cwd: scratch, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }))
      return { server, stop: () => (process.kill(-server.child.pid, 'SIGINT'), server.ended) }
    }
    const cold = await untilAnswer(start('cold'))
    const warm = await untilAnswer(start('warm'))
    const fetched = sizeOf(join(home, '.npm/_cacache'))
    return [
      `| \`npx supabase-compat serve\`, nothing there | ${cold.toFixed(1)} s | ${megabytes(fetched)} | ${megabytes(sizeOf(join(home, '.npm/_npx')))} |`,
      `| the same with npm's cache, a new database | ${warm.toFixed(1)} s | 0 MB | |`,
    ]
  } finally {
    registry.stop()
  }
}

/** The install script on this machine, with the system's PostgreSQL. */
async function script(folders, scratch) {
  const archives = join(scratch, 'archives')
  mkdirSync(archives)
  for (const path of makeArchives(folders)) cpSync(path, join(archives, path.slice(path.lastIndexOf('/') + 1)))
  const files = await serveFiles(archives)
  try {
    const [recipe] = makeRecipes({ archives, downloads: files.url, into: join(scratch, 'recipes') })
    const folder = join(scratch, 'script')
    const command = 'sh "$1" && exec "$INSTALL_DIR/supabase-compat" serve --port 0 --data-dir "$2"'
    const seconds = await untilAnswer(() => {
      const server = running(spawn('sh', ['-c', command, 'sh', recipe, join(scratch, 'script-data')], { env: { ...process.env, INSTALL_DIR: folder }, stdio: ['ignore', 'pipe', 'pipe'] }))
      return { server, stop: () => (server.child.kill('SIGTERM'), server.ended) }
    })
    const archive = readdirSync(archives).find((name) => name.startsWith('supabase-compat-') && name.endsWith(`${machine()}.tar.gz`))
    return [`| install script, PostgreSQL there, \`supabase-compat serve\` | ${seconds.toFixed(1)} s | ${megabytes(statSync(join(archives, archive)).size)} | ${megabytes(sizeOf(folder))} |`]
  } finally {
    files.stop()
  }
}

/** `dpkg -i` in a bare Debian with PostgreSQL, then the command of the unit. */
async function deb(folders, scratch) {
  const [path] = makeDebs(folders, { into: join(scratch, 'debs') }).filter((one) => one.includes('/palmares_'))
  const system = new System(bareSystem('bookworm', ['adduser', 'postgresql', 'systemd-sysv']), join(scratch, 'system'))
  cpSync(path, join(system.path, 'tmp/package.deb'))
  const port = String(await freePort())
  const command = `dpkg -i /tmp/package.deb >&2 && install -d -o palmares -g palmares -m 750 /var/lib/palmares && exec setpriv --reuid palmares --regid palmares --init-groups env DATA_DIR=/var/lib/palmares PORT=${port} palmares serve`
  const seconds = await untilAnswer(() => {
    const server = system.start('sh', ['-c', command])
    return { server, stop: () => (process.kill(innerPid(server), 'SIGTERM'), server.ended) }
  })
  const kilobytes = execFileSync('dpkg-deb', ['--field', path, 'Installed-Size'], { encoding: 'utf8' })
  system.remove()
  return [`| \`dpkg -i palmares.deb\`, PostgreSQL there | ${seconds.toFixed(1)} s | ${megabytes(statSync(path).size)} | ${megabytes(Number(kilobytes) * 1024)} |`]
}

/** The image on a new volume, unpacked from its archive first, as a container runtime does. */
async function image(folders, scratch) {
  const [archive] = makeImages(folders, { programs: ['palmares'], into: join(scratch, 'images') })
  const layout = join(scratch, 'layout')
  let folder
  const seconds = await untilAnswer(async () => {
    const contained = await startContained(archive, layout, join(scratch, 'volume'))
    folder = contained.folder
    return { server: contained.server, stop: contained.stop }
  })
  const size = sizeOf(folder)
  rmSync(folder, { recursive: true, force: true })
  spawnSync('sync')
  return [`| image of \`palmares\`, unpacked and started | ${seconds.toFixed(1)} s | ${megabytes(statSync(archive).size)} | ${megabytes(size)} |`]
}
