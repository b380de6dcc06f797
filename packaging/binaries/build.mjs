// Binaries that run on every distribution since glibc 2.28, and what an archive of them holds.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { GLIBC, MACHINES, PROGRAMS, commandOutput, machine, out, refuse, root, run, sha256, version } from '../programs.mjs'
import { componentsOf, licencesText, sbom } from './contents.mjs'

/** The folder of the binaries, with a folder for each machine. */
const binaries = join(out, 'binaries')

/** The cargo profile of shipped programs: the release profile with link-time optimisation over all crates, which takes minutes more. */
const PROFILE = 'dist'

/** Compilers of PyPI: zig links against the symbols of an old glibc. */
const ZIG = ['cargo-zigbuild==0.24.1', 'ziglang==0.17.1']

/**
 * The folders of finished binaries by machine: those in DIST_BINARIES. Without it, binaries are built for DIST_MACHINES,
 * by default for this machine.
 */
export function findBinaries() {
  const folder = process.env.DIST_BINARIES
  if (!folder) return buildBinaries()
  const machines = Object.keys(MACHINES).filter((name) => existsSync(join(folder, name)))
  if (machines.length === 0) refuse(`${folder} has no folder named for a machine (${Object.keys(MACHINES).join(', ')}); set DIST_BINARIES to one that has`)
  return Object.fromEntries(machines.map((name) => [name, join(folder, name)]))
}

function buildBinaries() {
  const names = process.env.DIST_MACHINES?.split(',') ?? [machine()]
  const unknown = names.filter((name) => !(name in MACHINES))
  if (unknown.length > 0) refuse(`DIST_MACHINES names ${unknown.join(', ')}; there is ${Object.keys(MACHINES).join(', ')}`)
  run('scripts/build-pages', [])
  return Object.fromEntries(names.map((name) => [name, buildFor(name)]))
}

function buildFor(name) {
  const { os, target } = MACHINES[name]
  const programs = Object.keys(PROGRAMS).flatMap((program) => ['--bin', program])
  const env = { ...process.env, RUSTC_WORKSPACE_WRAPPER: '' }
  if (os === 'linux') {
    const folder = join(zig(), 'bin')
    env.PATH = `${folder}${delimiter}${env.PATH}`
    run('cargo', ['zigbuild', '--locked', '--profile', PROFILE, '--target', `${target}.${GLIBC}`, ...programs], { env })
  } else {
    run('cargo', ['build', '--locked', '--profile', PROFILE, '--target', target, ...programs], { env })
  }
  const built = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), target, PROFILE)
  const folder = join(binaries, name)
  mkdirSync(folder, { recursive: true })
  for (const program of Object.keys(PROGRAMS)) copyFileSync(join(built, program), join(folder, program))
  return folder
}

/** The folder of the compilers, a virtual environment of Python that is made once. */
function zig() {
  const folder = join(out, 'tools/zig')
  const stamp = join(folder, 'installed')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== ZIG.join(' ')) {
    run('python3', ['-m', 'venv', folder])
    run(join(folder, 'bin/pip'), ['install', '--quiet', ...ZIG])
    writeFileSync(stamp, ZIG.join(' '))
  }
  return folder
}

/**
 * The newest version of glibc among the symbols that a binary for Linux needs, as `readelf` lists them; undefined
 * where it needs none.
 */
export function neededGlibc(binary) {
  const output = execFileSync('readelf', ['--version-info', '--wide', binary], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  const needs = output.slice(output.indexOf('Version needs section'))
  const versions = [...needs.matchAll(/Name: GLIBC_(\d+)\.(\d+)/g)].map(([, major, minor]) => [Number(major), Number(minor)])
  return versions.sort(compare).at(-1)?.join('.')
}

const compare = (one, other) => one[0] - other[0] || one[1] - other[1]

/** Whether a binary for Linux asks for no newer glibc than is promised. */
export function isPortable(binary) {
  const [needed, promised] = [neededGlibc(binary) ?? GLIBC, GLIBC].map((text) => text.split('.').map(Number))
  return compare(needed, promised) <= 0
}

/** Ends where a binary for Linux asks for a newer glibc than is promised. */
export function checkPortable(binary) {
  const needed = neededGlibc(binary)
  if (!isPortable(binary)) refuse(`${binary} needs glibc ${needed}; archives promise ${GLIBC} (build with \`just dist binaries\`, without DIST_BINARIES)`)
}

/** Manual pages and completions, written by a program of this machine. */
export function writeManual(program, folder, into) {
  const runs = join(folder[machine()] ?? refuse(`manual pages are written by the program itself, and there is none for ${machine()}`), program)
  rmSync(into, { recursive: true, force: true })
  run(runs, ['manual', into], { stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Copies a binary without its symbols, or unchanged if `strip` does not know the machine. */
export function copyStripped(from, to) {
  copyFileSync(from, to)
  chmodSync(to, 0o755)
  commandOutput('strip', ['--strip-all', to])
}

/**
 * Archives, one for each program and machine, with the program, manual pages, completions and licences; beside them the
 * SBOM of each program and SHA256SUMS.
 */
export function makeArchives(folders) {
  const into = join(out, 'archives')
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  for (const program of Object.keys(PROGRAMS)) {
    const manual = join(out, 'manual', program)
    writeManual(program, folders, manual)
    const licences = writeLicences(program)
    writeSbom(program, into)
    for (const [name, folder] of Object.entries(folders)) {
      const title = `${program}-${version()}-${name}`
      const staged = join(out, 'staged', title)
      rmSync(staged, { recursive: true, force: true })
      mkdirSync(staged, { recursive: true })
      copyStripped(join(folder, program), join(staged, program))
      if (MACHINES[name].os === 'linux') checkPortable(join(staged, program))
      cpSync(manual, join(staged, 'share'), { recursive: true })
      for (const file of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(root, file), join(staged, file))
      copyFileSync(licences, join(staged, 'THIRD-PARTY.txt'))
      // The same content gives the same bytes.
      const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
      run('tar', [...same, '--use-compress-program=gzip -9n', '-cf', join(into, `${title}.tar.gz`), '-C', join(out, 'staged'), title])
    }
  }
  return writeSums(into)
}

function writeSums(folder) {
  const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS').sort()
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((name) => `${sha256(join(folder, name))}  ${name}\n`).join(''))
  return [...files, 'SHA256SUMS'].map((name) => join(folder, name))
}

/** The licences of what a program is made of, as a file. */
export function writeLicences(program) {
  const into = join(out, 'licences', `${program}.txt`)
  mkdirSync(join(out, 'licences'), { recursive: true })
  writeFileSync(into, licencesText(componentsOf(program)))
  return into
}

/** What a program is made of, for scanners. */
function writeSbom(program, into) {
  writeFileSync(join(into, `${program}-${version()}.cdx.json`), `${JSON.stringify(sbom(program, componentsOf(program)), undefined, 2)}\n`)
}
