// Images of containers, as OCI archives.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { checkPortable, copyStripped } from '../binaries/build.mjs'
import { MACHINES, PROGRAMS, machine, out, root, run, version } from '../programs.mjs'

/** The image of each program for this machine: packages of another one would not run while it is made. Gives the paths. */
export function makeImages(folders, { programs = Object.keys(PROGRAMS), into = join(out, 'images'), isDevelopment = false } = {}) {
  const name = machine()
  const folder = folders[name]
  if (!folder || MACHINES[name].os !== 'linux') return []
  mkdirSync(into, { recursive: true })
  return programs.map((program) => {
    const binary = join(into, program)
    copyStripped(join(folder, program), binary)
    // A development build runs with the libraries of this machine's release.
    if (!isDevelopment) checkPortable(binary)
    const { debian } = MACHINES[name]
    const archive = join(into, `${program}-${version()}-${debian}.oci.tar`)
    run(join(root, 'packaging/image/build-image'), [program, binary, version(), debian, archive])
    rmSync(binary)
    return archive
  })
}
