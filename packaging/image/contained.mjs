// Runs an archive of `just dist image` as a container runtime does: with a read-only root, the volume, and the account
// that the image names.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { innerPid, running } from '../testing.mjs'

const ENTER = `
  root=$1 volume=$2 into=$3 user=$4; shift 4
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount --bind "$volume" "$root$into"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  mount -o remount,bind,ro "$root"
  exec chroot --userspec="$user" "$root" "$@"`

/** Unpacks an archive into a folder; returns its root and the configuration of the image. */
export function unpack(archive, layout) {
  mkdirSync(layout)
  execFileSync('tar', ['-xf', archive, '-C', layout])
  const blob = (digest) => join(layout, 'blobs', digest.replace(':', '/'))
  const json = (path) => JSON.parse(readFileSync(path, 'utf8'))
  const manifest = json(blob(json(join(layout, 'index.json')).manifests[0].digest))
  const folder = join(layout, 'root')
  mkdirSync(folder)
  for (const { digest } of manifest.layers) execFileSync('tar', ['-xf', blob(digest), '-C', folder])
  return { folder, config: json(blob(manifest.config.digest)).config }
}

/** Starts the command of the image on a free port, with a new folder as its volume. `exec` runs another command in it. */
export function startContained(archive, layout, volume) {
  const { folder, config } = unpack(archive, layout)
  const [into] = Object.keys(config.Volumes)
  const [uid, gid] = config.User.split(':').map(Number)
  mkdirSync(volume)
  chownSync(volume, uid, gid)
  const env = Object.fromEntries([...config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2)), ['PORT', '0'], ['ADMIN_PORT', '18001']])
  const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh', folder, volume, into, config.User, ...config.Entrypoint, ...config.Cmd]
  const server = running(spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'], env }))
  return {
    server,
    folder,
    config,
    exec(command, user = config.User) {
      const inside = ['--target', String(innerPid(server)), '--mount', '--pid', 'chroot', `--userspec=${user}`, folder, ...command]
      const { status, stdout, stderr } = spawnSync('nsenter', inside, { encoding: 'utf8', env: { ...env, PATH: process.env.PATH } })
      return { code: status, output: stdout + stderr }
    },
    async stop() {
      process.kill(innerPid(server), 'SIGTERM')
      return (await server.ended).code
    },
  }
}
