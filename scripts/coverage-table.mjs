// `node scripts/coverage-table.mjs REPORT`: prints a report of `llvm-cov export -summary-only` or of vitest (`json-summary`)
// by crate or folder, and the files with the lowest coverage.
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** In files with fewer lines a percentage means little. */
const MIN_LINES = 60

/** How many files the second table has. */
const FILE_COUNT = 15

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const files = (report.data ? filesOfRust(report) : filesOfPages(report)).filter(({ lines }) => lines > 0)

const groups = new Map()
for (const { path, lines, covered } of files) {
  const sum = groups.get(group(path)) ?? { lines: 0, covered: 0 }
  groups.set(group(path), { lines: sum.lines + lines, covered: sum.covered + covered })
}
const all = files.reduce((sum, file) => ({ lines: sum.lines + file.lines, covered: sum.covered + file.covered }), { lines: 0, covered: 0 })

console.log('| part | lines | reached |\n|---|---|---|')
for (const [name, sum] of [...groups].toSorted(([a], [b]) => a.localeCompare(b))) row(name, sum)
row('**all**', all)

console.log(`\nThe ${FILE_COUNT} files of at least ${MIN_LINES} lines that the tests reach least:\n\n| file | lines | reached |\n|---|---|---|`)
const large = files.filter(({ lines }) => lines >= MIN_LINES)
for (const file of large.toSorted((a, b) => share(a) - share(b)).slice(0, FILE_COUNT)) row(`\`${file.path}\``, file)

function filesOfRust({ data }) {
  return data.flatMap(({ files }) =>
    files.map(({ filename, summary }) => ({ path: inRepository(filename), lines: summary.lines.count, covered: summary.lines.covered })),
  )
}

function filesOfPages(summary) {
  return Object.entries(summary)
    .filter(([path]) => path !== 'total')
    .map(([path, { lines }]) => ({ path: inRepository(path), lines: lines.total, covered: lines.covered }))
}

function inRepository(path) {
  return relative(root, path).split(sep).join('/')
}

/** The crate, or the folder of the pages; each feature is a group of its own. */
function group(path) {
  const [first, second, third, fourth] = path.split('/')
  if (first !== 'frontend') return `${first}/${second}`
  return third === 'features' ? `${second}/${third}/${fourth}` : `${second}/${third}`
}

function share({ lines, covered }) {
  return covered / lines
}

function row(name, counts) {
  console.log(`| ${name} | ${counts.lines} | ${(100 * share(counts)).toFixed(1)} % |`)
}
