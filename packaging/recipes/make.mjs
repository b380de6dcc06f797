// The install script, formulas for Homebrew, and a flake for Nix. One template each, filled
// with the checksums of the archives.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { GLIBC, MACHINES, PROGRAMS, fill, out, refuse, root, sha256, version } from '../programs.mjs'

const template = (name) => readFileSync(join(root, 'packaging/recipes', name), 'utf8')

/** Writes the recipes for the archives in `archives`, published below the address `downloads`; returns their paths. */
export function makeRecipes({ archives = join(out, 'archives'), downloads = process.env.DIST_DOWNLOADS, into = join(out, 'recipes') } = {}) {
  if (!downloads) refuse('DIST_DOWNLOADS is not set; name the address that the archives are published below')
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const written = []
  const write = (name, text) => {
    writeFileSync(join(into, name), text)
    written.push(join(into, name))
  }
  const found = Object.fromEntries(Object.keys(PROGRAMS).map((program) => [program, archivesOf(program, archives)]))
  for (const program of Object.keys(PROGRAMS)) {
    const values = { program, version: version(), downloads, glibc: GLIBC, homepage: process.env.DIST_HOMEPAGE ?? downloads, summary: PROGRAMS[program].summary }
    write(`install-${program}.sh`, fill(template('install.sh'), { ...values, names: found[program].map(({ uname }) => uname).join(', '), machines: found[program].map(caseOf).join('\n') }))
    chmodSync(join(into, `install-${program}.sh`), 0o755)
    write(`${program}.rb`, fill(template('formula.rb'), { ...values, class: className(program), machines: formulaMachines(found[program], downloads) }))
  }
  write('flake.nix', fill(template('flake.nix'), { version: version(), archives: flakeArchives(found, downloads) }))
  return written
}

/** The existing archives of a program, with the names that package managers give their machines. */
function archivesOf(program, folder) {
  const all = Object.entries(MACHINES).map(([name, names]) => ({ ...names, name, file: `${program}-${version()}-${name}.tar.gz` }))
  const there = all.filter(({ file }) => existsSync(join(folder, file)))
  if (there.length === 0) refuse(`${folder} has no archive of ${program} ${version()}; make them by \`just dist archives\``)
  return there.map((one) => ({ ...one, sum: sha256(join(folder, one.file)) }))
}

const caseOf = ({ uname, file, sum }) => `  ${uname}) archive=${file} sum=${sum} ;;`

/** The class name that Homebrew derives from the name of the file. */
const className = (program) => program.split('-').map((word) => word[0].toUpperCase() + word.slice(1)).join('')

function formulaMachines(found, downloads) {
  const systems = { darwin: 'on_macos', linux: 'on_linux' }
  return Object.entries(systems)
    .flatMap(([os, word]) => {
      const own = found.filter((one) => one.os === os)
      if (own.length === 0) return []
      const cases = own.map(({ cpu, file, sum }) => `    ${cpu === 'arm64' ? 'on_arm' : 'on_intel'} do\n      url "${downloads}/${file}"\n      sha256 "${sum}"\n    end`)
      return [`  ${word} do\n${cases.join('\n')}\n  end`]
    })
    .join('\n\n')
}

function flakeArchives(found, downloads) {
  const systems = Object.values(MACHINES).filter(({ nix }) => Object.values(found).some((own) => own.some((one) => one.nix === nix)))
  return systems
    .map(({ nix }) => {
      const programs = Object.entries(found).flatMap(([program, own]) => {
        const one = own.find((archive) => archive.nix === nix)
        if (!one) return []
        const hash = `sha256-${Buffer.from(one.sum, 'hex').toString('base64')}`
        return [`          ${program} = {\n            url = "${downloads}/${one.file}";\n            hash = "${hash}";\n          };`]
      })
      return `        ${nix} = {\n${programs.join('\n')}\n        };`
    })
    .join('\n')
}
