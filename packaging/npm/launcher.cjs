#!/usr/bin/env node
// Starts the program for this machine, which npm installed beside this package. Signals, the exit code and every
// argument pass through.
'use strict'

const { spawn } = require('node:child_process')
const { existsSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')

const { name, optionalDependencies = {} } = require('../package.json')

/** `supabase-compat`: SUPABASE_COMPAT_BINARY names another program than the installed one. */
const OVERRIDE = `${name.toUpperCase().replaceAll('-', '_')}_BINARY`

/** The signals that end a program, reload its settings, or continue it after a stop. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT']

/** Prints an error and exits. */
function refuse(sentence) {
  console.error(`${name}: ${sentence}`)
  process.exit(1)
}

/** The version of glibc this machine has; undefined where there is none (musl, macOS). */
function glibc() {
  // Otherwise the report resolves the host names of all connections.
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime
}

/** Whether a version such as 2.31 is older than another. */
function isOlder(version, other) {
  const [one, two] = [version, other].map((text) => text.split('.').map(Number))
  return one[0] !== two[0] ? one[0] < two[0] : one[1] < two[1]
}

/** This machine as the names of packages have it: `linux-x64`, `linux-arm64-musl`. */
function machine() {
  const libc = process.platform === 'linux' && !glibc() ? '-musl' : ''
  return `${process.platform}-${process.arch}${libc}`
}

/** The folder of a package as `near` would find it, even if the package does not export its package.json. */
function folderOf(near, dependency) {
  const places = near.resolve.paths(dependency) ?? []
  return places.map((place) => join(place, dependency)).find((folder) => existsSync(join(folder, 'package.json')))
}

/** The package for this machine: its folder, its manifest, and a `require` that finds its dependencies. */
function platformPackage() {
  const packages = Object.keys(optionalDependencies)
  const own = packages.find((one) => one.endsWith(`/${machine()}`))
  if (!own) {
    const known = packages.map((one) => one.split('/')[1]).join(', ')
    refuse(`there is no program for ${machine()}, only for ${known}; build it from source (see the README)`)
  }
  let path
  try {
    path = require.resolve(`${own}/package.json`)
  } catch {
    refuse(`the package ${own} is missing; install again without --omit=optional, on this machine itself`)
  }
  return { folder: dirname(path), manifest: require(path), require: createRequire(path) }
}

/** The program, and the environment that names the programs installed with it. */
function installed() {
  const { folder, manifest, require: near } = platformPackage()
  const here = glibc()
  if (manifest.glibc && here && isOlder(here, manifest.glibc)) {
    refuse(`it needs glibc ${manifest.glibc} and this system has ${here}; use a newer system, or build it from source`)
  }
  const env = { ...process.env }
  for (const [variable, dependency] of Object.entries(manifest.programs ?? {})) {
    // A variable that the user has set wins; the program itself looks for what npm did not install.
    env[variable] ||= folderOf(near, dependency) ?? ''
  }
  return { program: join(folder, 'bin', name), env }
}

const override = process.env[OVERRIDE]
const { program, env } = override ? { program: override, env: process.env } : installed()
if (!existsSync(program)) refuse(`${program} is not there; install the package again`)

const child = spawn(program, process.argv.slice(2), { stdio: 'inherit', env })
for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
child.once('error', (error) => refuse(`${program} cannot be started: ${error.message}`))
child.once('exit', (code, signal) => {
  if (!signal) process.exit(code)
  // Ends with the same signal, so that the parent process sees what ended the program.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
