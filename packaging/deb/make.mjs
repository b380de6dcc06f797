// Packages of Debian: the program, its service with an account and a data folder of its own, manual pages, completions.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { copyStripped, writeLicences, writeManual } from '../binaries/build.mjs'
import { MACHINES, PROGRAMS, cargoTool, fill, out, root, run, version } from '../programs.mjs'

const read = (name) => readFileSync(join(root, 'packaging/deb', name), 'utf8')

const values = (program) => ({ program, summary: PROGRAMS[program].summary })

/** Makes packages for the machines that have binaries; returns their paths. A trial package is compressed quickly. */
export function makeDebs(folders, { into = join(out, 'deb'), debVersion = version(), isTrial = false } = {}) {
  mkdirSync(into, { recursive: true })
  return Object.keys(PROGRAMS).flatMap((program) => {
    const staged = stage(program, folders)
    return Object.entries(folders).flatMap(([name, folder]) => {
      const { os, debian, target } = MACHINES[name]
      if (os !== 'linux') return []
      copyStripped(join(folder, program), join(staged, program))
      const path = join(into, `${program}_${debVersion}_${debian}.deb`)
      const cargoDeb = cargoTool('cargo-deb', '3.8.0')
      const crate = PROGRAMS[program].crate
      // cargo-deb derives the architecture of the package from Rust's target.
      const args = ['--no-build', '--no-strip', '--quiet', '--target', target, '--manifest-path', join(root, crate, 'Cargo.toml')]
      run(cargoDeb, [...args, ...(isTrial ? ['--fast'] : []), '--deb-version', debVersion, '--output', path])
      return [path]
    })
  })
}

/** Puts the files of the package beside the binary into the folder that the crate's Cargo.toml names. */
function stage(program, folders) {
  const staged = join(out, 'deb/staged', program)
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(join(staged, 'scripts'), { recursive: true })
  const put = (name, text, mode = 0o644) => {
    writeFileSync(join(staged, name), text)
    chmodSync(join(staged, name), mode)
  }
  for (const name of ['postinst', 'prerm', 'postrm', 'templates']) put(`scripts/${name}`, fill(read(name), values(program)), 0o755)
  put('scripts/service', fill(read('program.service'), values(program)))
  put(`${program}.env`, fill(read('program.env'), values(program)))
  const manual = join(out, 'deb/manual', program)
  writeManual(program, folders, manual)
  mkdirSync(join(staged, 'man1'))
  for (const page of readdirSync(join(manual, 'man1'))) put(`man1/${page}.gz`, gzipSync(readFileSync(join(manual, 'man1', page)), { level: 9 }))
  mkdirSync(join(staged, 'completions'))
  for (const file of readdirSync(join(manual, 'completions'))) copyFileSync(join(manual, 'completions', file), join(staged, 'completions', file))
  const mit = readFileSync(join(root, 'LICENSE-MIT'), 'utf8')
  put('license', `Debian has the Apache License, version 2.0, in /usr/share/common-licenses/Apache-2.0. The other one is this:\n\n${mit}`)
  put('THIRD-PARTY.txt.gz', gzipSync(readFileSync(writeLicences(program)), { level: 9 }))
  put('changelog.gz', gzipSync(`${program} (${version()}) unstable; urgency=medium\n\n  * See /usr/share/doc/${program}/CHANGELOG.md.gz.\n\n -- ${MAINTAINER}  ${new Date(0).toUTCString().replace('GMT', '+0000')}\n`, { level: 9 }))
  for (const file of ['CHANGELOG.md', 'docs/operations.md']) put(`${basename(file)}.gz`, gzipSync(readFileSync(join(root, file)), { level: 9 }))
  return staged
}

const MAINTAINER = 'Palmarès <palmares@example.org>'
