// Wheels of PyPI, with the binary inside: `pip install supabase-compat`, `uvx supabase-compat up`.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { checkPortable, copyStripped, writeLicences } from '../binaries/build.mjs'
import { MACHINES, PROGRAMS, commandOutput, out, refuse, root, version } from '../programs.mjs'

/** A wheel for each program and machine; gives the paths. */
export function makeWheels(folders, into = join(out, 'wheels')) {
  mkdirSync(into, { recursive: true })
  return Object.keys(PROGRAMS).flatMap((program) => {
    const staged = join(out, 'staged', program)
    mkdirSync(staged, { recursive: true })
    const licences = join(staged, 'THIRD-PARTY.txt')
    copyFileSync(writeLicences(program), licences)
    return Object.entries(folders).map(([name, folder]) => makeWheel(program, name, folder, licences, into))
  })
}

/** The wheel of a program for a machine, out of the binary in `folder`. */
export function makeWheel(program, name, folder, licences, into) {
  const { os, wheel } = MACHINES[name]
  const staged = join(out, 'staged/wheels', name)
  mkdirSync(staged, { recursive: true })
  const binary = join(staged, program)
  copyStripped(join(folder, program), binary)
  if (os === 'linux') checkPortable(binary)
  const files = [join(root, 'LICENSE-MIT'), join(root, 'LICENSE-APACHE'), licences]
  const made = commandOutput('python3', [join(root, 'packaging/wheel/make_wheel.py'), program, binary, wheel, version(), PROGRAMS[program].summary, into, ...files], { stdio: ['ignore', 'pipe', 'inherit'] })
  return made?.trim() ?? refuse(`no wheel of ${program} was made; see above`)
}
