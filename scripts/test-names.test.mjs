// Names of tests have at most eight words (docs/house-style.md section 7).
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOT_OURS = new Set(['.git', 'artefacts', 'dist', 'node_modules', 'target'])
const MAX_WORDS = 8

/** Metaphors and riddles. A name says what the test asserts, in the words of the field. */
const REFUSED = /^(errand|heard|hears|rooms?|somebody|told|whoever)$/

const RUST = /#\[(?:tokio::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)/g
/** The text of `test('…')`, `it.skip('…')` and `it.each(…)('…')`. */
const SCRIPT = /\b(?:it|test)(?:\.\w+)*(?:\((?:[^()'"`]|\([^()]*\)|(['"`])(?:\\.|(?!\1).)*\1)*\))?\(\s*(['"`])((?:\\.|(?!\2).)*)\2/g

const namesIn = (path, text) =>
  path.endsWith('.rs')
    ? [...text.matchAll(RUST)].map(([, name]) => name.replaceAll('_', ' '))
    : [...text.matchAll(SCRIPT)].map(([, , , name]) => name)

const wordsOf = (name) => name.split(/\s+/).filter(Boolean)
const isRefused = (name) => wordsOf(name).length > MAX_WORDS || wordsOf(name).some((word) => REFUSED.test(word))

function* filesIn(folder) {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !NOT_OURS.has(entry.name)) yield* filesIn(path)
    else if (/\.(rs|test\.(mjs|tsx?))$/.test(entry.name)) yield path
  }
}

test('test names have at most eight words', () => {
  const names = [...filesIn('.')].flatMap((path) =>
    namesIn(path, readFileSync(join(ROOT, path), 'utf8')).map((name) => ({ path, name })),
  )
  assert.ok(names.length > 4_000, `only ${names.length} names were found`)
  assert.deepEqual(names.filter(({ name }) => isRefused(name)).map(({ path, name }) => `${path}: ${name}`), [])
})

test('names are found in both languages', () => {
  const rust = '#[tokio::test(flavor = "multi_thread")]\n#[ignore]\nasync fn row_is_kept() {}\nfn helper() {}'
  assert.deepEqual(namesIn('a.rs', rust), ['row is kept'])
  const script = `it('asks first', f)\ntest.skip("says it's late", f)\nit.each([['a', f(1)]])('refuses %s', f)\nsubmit('no test')`
  assert.deepEqual(namesIn('a.test.ts', script), ['asks first', "says it's late", 'refuses %s'])
  assert.ok(isRefused('whoever asks is heard') && !isRefused('session ends'))
})
