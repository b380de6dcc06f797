// The packages of npm: for each program one that people install, and one for each kind of machine with the binary in it.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { MACHINES, PROGRAMS, machine as thisMachine, root, version } from '../programs.mjs'

const read = (path) => readFileSync(join(root, path), 'utf8')

const POSTGRES = { variable: 'PG_PACKAGE', source: 'supabase-compat/compat-pg/src/embedded/install.rs' }
const DENO = { variable: 'DENO_PACKAGE', source: 'supabase-compat/compat-functions/src/scripts/deno.rs' }

/** Third-party packages that each of our programs needs. */
export const NEEDS = { 'supabase-compat': [POSTGRES, DENO], palmares: [POSTGRES] }

/** The package that the program itself would fetch for a machine: its name and version, out of its source. */
export function pinned({ source }, [os, arch]) {
  for (const [, text] of read(source).matchAll(/Archive \{([^}]*)\}/g)) {
    const field = (name) => new RegExp(`${name}: "([^"]+)"`).exec(text)?.[1]
    if (field('os') !== os || field('arch') !== arch) continue
    const [, name, version] = /^(.+)@([^@]+)$/.exec(field('package'))
    return { name, version }
  }
  return undefined
}

/** The oldest glibc a binary runs with: the newest version among the symbols it asks for; undefined where it asks for none. */
export function oldestGlibc(binary) {
  const found = readFileSync(binary, 'latin1').matchAll(/GLIBC_(\d+)\.(\d+)/g)
  const versions = [...found].map(([, major, minor]) => [Number(major), Number(minor)])
  const newest = versions.sort((one, other) => one[0] - other[0] || one[1] - other[1]).at(-1)
  return newest?.join('.')
}

const SHARED = {
  version: version(),
  license: 'MIT OR Apache-2.0',
  // npm compares it with the workflow that publishes, which sets it.
  ...(process.env.DIST_REPOSITORY && { repository: { type: 'git', url: process.env.DIST_REPOSITORY } }),
}

/**
 * Writes the packages of a program below `into` and packs them; `binaries` is the path of the binary by the name of the
 * machine. Gives the archives in the order in which they are published: machines first.
 */
export function makePackages(program, binaries, into) {
  const { description } = PROGRAMS[program]
  const needs = NEEDS[program]
  const archives = []
  const optionalDependencies = {}
  for (const [name, binary] of Object.entries(binaries)) {
    const machine = MACHINES[name]
    const own = `@${program}/${name}`
    const found = needs.flatMap((need) => {
      const dependency = pinned(need, machine.rust)
      return dependency ? [{ ...need, ...dependency }] : []
    })
    const folder = join(into, `${program}-${name}`)
    emptyFolder(join(folder, 'bin'), folder)
    copyFileSync(binary, join(folder, 'bin', program))
    chmodSync(join(folder, 'bin', program), 0o755)
    if (name === thisMachine()) writeCluster(program, binary, found, join(folder, 'share', program))
    const glibc = machine.libc && oldestGlibc(binary)
    writeManifest(folder, {
      name: own,
      description: `${program} for ${name}`,
      ...SHARED,
      os: [machine.os],
      cpu: [machine.cpu],
      ...(machine.libc && { libc: [machine.libc] }),
      ...(glibc && { glibc }),
      files: ['bin', 'share', 'LICENSE-*'],
      dependencies: Object.fromEntries(found.map((one) => [one.name, one.version])),
      programs: Object.fromEntries(found.map((one) => [one.variable, one.name])),
    })
    optionalDependencies[own] = SHARED.version
    archives.push(pack(folder, into))
  }
  const folder = join(into, program)
  emptyFolder(join(folder, 'bin'), folder)
  copyFileSync(join(root, 'packaging/npm/launcher.cjs'), join(folder, 'bin', `${program}.cjs`))
  chmodSync(join(folder, 'bin', `${program}.cjs`), 0o755)
  copyFileSync(join(root, 'README.md'), join(folder, 'README.md'))
  writeManifest(folder, {
    name: program,
    description,
    ...SHARED,
    keywords: ['supabase', 'postgrest', 'postgresql', 'backend'],
    bin: { [program]: `bin/${program}.cjs` },
    files: ['bin', 'LICENSE-*'],
    engines: { node: '>=18' },
    optionalDependencies,
  })
  archives.push(pack(folder, into))
  return archives
}

/**
 * Writes the database that a first start unpacks, initialised by the PostgreSQL that npm installs. Only the binary for
 * this machine can make it; a package without it starts more slowly.
 */
function writeCluster(program, binary, dependencies, into) {
  const postgres = dependencies.find((one) => one.variable === POSTGRES.variable)
  const scratch = mkdtempSync(join(tmpdir(), 'cluster-'))
  try {
    // PostgreSQL's account must reach it.
    chmodSync(scratch, 0o755)
    execFileSync('npm', ['install', '--prefix', scratch, '--no-audit', '--no-fund', '--silent', `${postgres.name}@${postgres.version}`])
    const programs = join(scratch, 'node_modules', postgres.name, 'native/bin')
    for (const file of readdirSync(programs)) chmodSync(join(programs, file), 0o755)
    const file = join(scratch, 'cluster.tar.gz')
    execFileSync(binary, ['prepare-cluster', file], { env: { PATH: process.env.PATH, PG_BINDIR: programs }, cwd: scratch, stdio: ['ignore', 'ignore', 'inherit'] })
    mkdirSync(into, { recursive: true })
    copyFileSync(file, join(into, 'cluster.tar.gz'))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function emptyFolder(path, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
}

function writeManifest(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  for (const license of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(root, license), join(folder, license))
}

function pack(folder, into) {
  const output = execFileSync('npm', ['pack', '--loglevel=error', '--json', '--pack-destination', into], { cwd: folder, encoding: 'utf8' })
  return join(into, JSON.parse(output)[0].filename)
}
