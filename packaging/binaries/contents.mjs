// The components of a program: the crates that are linked into it and the packages of npm in its pages. Written as a
// text of licences for people and as an SBOM for scanners, from files of this machine, without a network.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { MACHINES, PROGRAMS, commandOutput, refuse, root, version } from '../programs.mjs'

/** Licences that may be in a program. */
const ACCEPTED = [
  'MIT', 'MIT-0', 'Apache-2.0', 'BSD-3-Clause', 'BSD-2-Clause', 'ISC', '0BSD', 'Zlib', 'BSL-1.0', 'CC0-1.0',
  'Unicode-3.0', 'OpenSSL', 'IJG', 'MPL-2.0', 'CDLA-Permissive-2.0', 'OFL-1.1', 'Unlicense',
]

/** The third-party components: name, version, address (purl), licence as an SPDX expression, texts, SHA-256, dependencies. */
export function componentsOf(program, machine = 'linux-x64') {
  const crates = linkedCrates(PROGRAMS[program].crate, MACHINES[machine].target)
  const components = program === 'palmares' ? [...crates, ...packagesOfPages()] : crates
  const strange = components.filter(({ license }) => !isAccepted(license))
  if (strange.length > 0) {
    const names = strange.map((one) => `${one.name} ${one.version} (${one.license})`).join(', ')
    refuse(`${program} holds works under licences that nobody has accepted: ${names}; see ACCEPTED in packaging/binaries/contents.mjs`)
  }
  return components
}

function linkedCrates(folder, target) {
  const tree = commandOutput('cargo', ['tree', '--locked', '--manifest-path', join(folder, 'Cargo.toml'), '--edges', 'normal,no-proc-macro', '--target', target, '--prefix', 'none', '--format', '{p}'])
  const metadata = commandOutput('cargo', ['metadata', '--locked', '--format-version', '1', '--filter-platform', target])
  if (!tree || !metadata) refuse('cargo does not tell what is linked; see above')
  const linked = new Set([...tree.matchAll(/^(\S+) v(\S+)/gm)].map(([, name, its]) => `${name}@${its}`))
  const sums = new Map([...readFileSync(join(root, 'Cargo.lock'), 'utf8').matchAll(/name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"/g)].map(([, name, its, sum]) => [`${name}@${its}`, sum]))
  const { packages, resolve } = JSON.parse(metadata)
  const own = packages.filter((one) => one.source && linked.has(`${one.name}@${one.version}`))
  const address = (one) => `pkg:cargo/${one.name}@${one.version}`
  const known = new Map(own.map((one) => [one.id, one]))
  const needs = new Map(resolve.nodes.map((node) => [node.id, node.dependencies.flatMap((id) => (known.has(id) ? [address(known.get(id))] : []))]))
  return own.map((one) => ({
    name: one.name,
    version: one.version,
    purl: address(one),
    // Old crates separate alternative licences by a slash.
    license: (one.license ?? 'unknown').replaceAll(/\s*\/\s*/g, ' OR '),
    texts: textsIn(dirname(one.manifest_path)),
    sum: sums.get(`${one.name}@${one.version}`),
    needs: needs.get(one.id) ?? [],
  }))
}

/** The packages of npm that the pages are bundled from. */
function packagesOfPages() {
  const listed = commandOutput('npm', ['--prefix', 'frontend', 'ls', '--omit=dev', '--all', '--parseable'])
  if (!listed) refuse('npm does not tell what the pages are made of; run npm --prefix frontend ci')
  const folders = [...new Set(listed.trim().split('\n').slice(1))]
  const found = folders.map((folder) => {
    const { name, version: its, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version: its, purl: `pkg:npm/${name.replace('@', '%40')}@${its}`, license: license ?? 'unknown', texts: textsIn(folder), needs: [] }
  })
  return [...new Map(found.map((one) => [one.purl, one])).values()]
}

function textsIn(folder) {
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && /^(licen[cs]e|copying|notice|unlicense)/i.test(file.name))
  return files.map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
}

/** Whether an SPDX expression can be met by accepted licences alone: a term is a licence, or an expression in brackets. */
export function isAccepted(expression) {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  const parseOr = () => {
    let isMet = parseAnd()
    while (tokens[0] === 'OR') {
      tokens.shift()
      isMet = parseAnd() || isMet
    }
    return isMet
  }
  const parseAnd = () => {
    let isMet = parseTerm()
    while (tokens[0] === 'AND') {
      tokens.shift()
      isMet = parseTerm() && isMet
    }
    return isMet
  }
  const parseTerm = () => {
    const token = tokens.shift()
    if (token === '(') {
      const isMet = parseOr()
      tokens.shift()
      return isMet
    }
    // An exception only gives more rights.
    if (tokens[0] === 'WITH') tokens.splice(0, 2)
    return ACCEPTED.includes(token)
  }
  const isMet = parseOr()
  return isMet && tokens.length === 0
}

/** The licences as a text: each text once, after the works that it is for. */
export function licencesText(components) {
  const works = new Map()
  for (const { name, version: its, license, texts } of components) {
    for (const text of texts.length > 0 ? texts : [`No text of the licence came with it: ${license}.`]) works.set(text, [...(works.get(text) ?? []), `${name} ${its} (${license})`])
  }
  const parts = [...works].map(([text, names]) => `${'='.repeat(80)}\n${names.join('\n')}\n\n${text}\n`)
  return `The program is licensed as MIT or Apache-2.0. It holds these works of others.\n\n${parts.join('\n')}`
}

/** The components as an SBOM for scanners, in CycloneDX 1.5. */
export function sbom(program, components) {
  const self = { type: 'application', 'bom-ref': program, name: program, version: version(), licenses: [{ expression: 'MIT OR Apache-2.0' }] }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: self },
    components: components.map(({ name, version: its, purl, license, sum }) => ({
      type: 'library',
      'bom-ref': purl,
      name,
      version: its,
      purl,
      licenses: [{ expression: license }],
      ...(sum && { hashes: [{ alg: 'SHA-256', content: sum }] }),
    })),
    dependencies: [{ ref: program, dependsOn: components.map(({ purl }) => purl) }, ...components.map(({ purl, needs }) => ({ ref: purl, dependsOn: [...new Set(needs)] }))],
  }
}
