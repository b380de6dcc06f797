/**
 * Checks the texts: every language has the same files, keys and placeholders, and the plural forms of its rules; the
 * code uses every key; French texts follow French typography; no text contains keyboard substitutes for typeset
 * characters. Prints every breach and fails if there is one. With `--write` it first writes the declarations that type
 * the keys.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = new URL('..', import.meta.url).pathname
const SOURCE = 'en'
const LANGUAGES = ['en', 'fr', 'es']
const PLURAL = /_(zero|one|two|few|many|other)$/
const TYPES = join(ROOT, 'src/i18n/resources.d.ts')
/** Code and placeholders in a text, which typographic rules do not apply to. */
const CODE = /`[^`]*`|\{\{[^}]*\}\}/g
/** Keyboard substitutes for typeset characters, and stray spaces. */
const REFUSED = [/['"]/u, /\.\.\./u, / {2}|^\s|\s$/u]
/** French has a narrow no-break space before ; ! ? and a no-break space before : and inside « ». */
const FRENCH = [
  /[^\u202f\s][;!?](?=[\s»"]|$)|[ \u00a0][;!?]/u,
  /[^\u00a0\s]:(?=\s|$)|[ \u202f]:/u,
  /«(?!\u00a0)|(?<!\u00a0)»/u,
]

const breaches = []
const texts = Object.fromEntries(LANGUAGES.map((language) => [language, readLanguage(language)]))
const namespaces = [...texts[SOURCE].keys()]

if (process.argv.includes('--write')) writeFileSync(TYPES, declarations())
if (readFileSync(TYPES, 'utf8') !== declarations())
  breaches.push('src/i18n/resources.d.ts is stale: node scripts/check-locales.mjs --write')
for (const language of LANGUAGES) compare(language)
compareUses()
for (const breach of breaches) console.error(breach)
if (breaches.length > 0) process.exit(1)

function readLanguage(language) {
  const folder = join(ROOT, 'locales', language)
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return new Map(
    files.map((file) => [file.slice(0, -5), flatten(JSON.parse(readFileSync(join(folder, file), 'utf8')))]),
  )
}

function flatten(tree, prefix = '', into = new Map()) {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === 'string') into.set(prefix + name, value)
    else flatten(value, `${prefix}${name}.`, into)
  }
  return into
}

function compare(language) {
  for (const namespace of new Set([...namespaces, ...texts[language].keys()])) {
    const at = `locales/${language}/${namespace}.json`
    const source = texts[SOURCE].get(namespace)
    const translation = texts[language].get(namespace)
    if (!source || !translation) {
      breaches.push(`${at} exists in one language only`)
      continue
    }
    compareKeys(language, at, source, translation)
    for (const [key, text] of translation) compareSigns(language, `${at}: ${key}`, text)
  }
}

function compareKeys(language, at, source, translation) {
  const expected = bases(source)
  const actual = bases(translation)
  for (const key of expected) if (!actual.has(key)) breaches.push(`${at}: ${key} is missing`)
  for (const key of actual) if (!expected.has(key)) breaches.push(`${at}: ${key} is unknown to the source`)
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  for (const key of actual) {
    const forms = [...translation.keys()].filter((name) => PLURAL.test(name) && name.replace(PLURAL, '') === key)
    const found = new Set(forms.map((name) => PLURAL.exec(name)[1]))
    if (found.size > 0)
      for (const category of categories) if (!found.has(category)) breaches.push(`${at}: ${key} lacks "${category}"`)
    for (const name of placeholders(source, key).symmetricDifference?.(placeholders(translation, key)) ??
      difference(placeholders(source, key), placeholders(translation, key)))
      breaches.push(`${at}: ${key} differs from the source in {{${name}}}`)
  }
}

function difference(one, other) {
  return [...one].filter((name) => !other.has(name)).concat([...other].filter((name) => !one.has(name)))
}

function bases(keys) {
  return new Set([...keys.keys()].map((key) => key.replace(PLURAL, '')))
}

function placeholders(keys, base) {
  const all = [...keys].filter(([name]) => name.replace(PLURAL, '') === base).map(([, text]) => text)
  return new Set(all.flatMap((text) => [...text.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name)))
}

function compareSigns(language, at, text) {
  const prose = text.replaceAll(CODE, 'x')
  if (text.trim() === '') breaches.push(`${at} is empty`)
  for (const sign of REFUSED)
    if (sign.test(prose)) breaches.push(`${at} contains a keyboard substitute for a typeset character: "${text}"`)
  if (language === 'fr')
    for (const sign of FRENCH)
      if (sign.test(prose)) breaches.push(`${at} breaks a rule of French typography: "${text}"`)
}

/** A key is used if a file names its namespace and contains the key, or a template that matches it. */
function compareUses() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'))
  for (const [namespace, keys] of texts[SOURCE]) {
    const own = files.filter((text) => text.includes(`'${namespace}'`) || text.includes(`${namespace}:`))
    const bare = (key) => key.replace(`${namespace}:`, '')
    const literals = new Set(own.flatMap((text) => [...text.matchAll(/'([\w.:-]+)'/g)].map(([, name]) => bare(name))))
    const patterns = own.flatMap((text) =>
      [...text.matchAll(/`([\w.:-]*(?:\$\{[^}]+\}[\w.-]*)+)`/g)].map(([, template]) => patternOf(bare(template))),
    )
    for (const key of bases(keys))
      if (!literals.has(key) && !patterns.some((pattern) => pattern.test(key)))
        breaches.push(`locales/${SOURCE}/${namespace}.json: ${key} is not used`)
  }
}

function patternOf(template) {
  const fixed = template.split(/\$\{[^}]+\}/).map((part) => part.replaceAll('.', String.raw`\.`))
  return new RegExp(`^${fixed.join('[\\w.-]+')}$`)
}

/** The source language's files type the keys, so that the compiler refuses a missing key. */
function declarations() {
  const sorted = namespaces.toSorted()
  return [
    '/** Types the keys of the texts. Written by scripts/check-locales.mjs; not to be edited. */',
    "import 'i18next'",
    ...sorted.map((one) => `import type ${one} from '../../locales/${SOURCE}/${one}.json'`),
    '',
    "declare module 'i18next' {",
    '  interface CustomTypeOptions {',
    '    defaultNS: false',
    '    resources: {',
    ...sorted.map((one) => `      ${one}: typeof ${one}`),
    '    }',
    '  }',
    '}',
    '',
  ].join('\n')
}
