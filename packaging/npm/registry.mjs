// A registry of npm on this machine, without an upstream registry, with our packages and their dependencies.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { copyStripped } from '../binaries/build.mjs'
import { MACHINES, PROGRAMS } from '../programs.mjs'
import { freePort } from '../testing.mjs'
import { NEEDS, makePackages, pinned } from './packages.mjs'

// The last one before 6.1 runs with Node 20.
const VERDACCIO = 'verdaccio@6.0.5'

/** Starts the registry in a folder; `stop()` ends it. */
export async function startRegistry(scratch) {
  const folder = join(scratch, 'registry')
  mkdirSync(folder)
  // Verdaccio depends on this package by a tag, which a mirror of npm may lack.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides: { 'node-fetch': '2.7.0' } }))
  execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--loglevel=error', VERDACCIO], { stdio: 'inherit' })
  const config = join(folder, 'config.yaml')
  writeFileSync(
    config,
    `storage: ${join(folder, 'storage')}\nmax_body_size: 1000mb\nauth: { htpasswd: { file: ${join(folder, 'users')} } }\npackages: { '**': { access: $all, publish: $all } }\nlog: { type: stdout, level: error }\n`,
  )
  const port = await freePort()
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  const child = spawn(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}/`
  for (;;) {
    if (await fetch(`${url}-/ping`).then((response) => response.ok, () => false)) break
    if (child.exitCode !== null) throw new Error('the registry ended')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, stop: () => child.kill() }
}

/** Publishes the packages of our programs for the machines that have binaries, after their dependencies. */
export function publish(registry, folders, scratch) {
  const archives = Object.keys(PROGRAMS).flatMap((program) => {
    const own = Object.entries(folders).filter(([, folder]) => existsSync(join(folder, program)))
    const binaries = own.map(([name, folder]) => {
      const into = join(scratch, 'binaries', name)
      mkdirSync(into, { recursive: true })
      copyStripped(join(folder, program), join(into, program))
      return [name, join(into, program)]
    })
    return binaries.length > 0 ? makePackages(program, Object.fromEntries(binaries), scratch) : []
  })
  const needed = Object.values(NEEDS).flatMap((needs) => needs.flatMap((need) => Object.keys(folders).map((name) => pinned(need, MACHINES[name].rust))))
  for (const name of new Set(needed.filter(Boolean).map((one) => `${one.name}@${one.version}`))) {
    const output = execFileSync('npm', ['pack', name, '--json', '--loglevel=error', '--pack-destination', scratch], { encoding: 'utf8' })
    archives.unshift(join(scratch, JSON.parse(output)[0].filename))
  }
  const config = join(scratch, 'npmrc')
  writeFileSync(config, `registry=${registry.url}\n//${new URL(registry.url).host}/:_authToken=anybody\n`)
  for (const archive of archives) {
    const args = ['publish', archive, '--tag', 'latest', '--ignore-scripts', '--loglevel=error', '--provenance=false', '--userconfig', config]
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
}
