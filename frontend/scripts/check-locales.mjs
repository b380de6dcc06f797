/**
 * Holds the texts: every language has the same files, keys, placeholders and the plural forms its rules need; every
 * key is written in one style; every key the code names exists; every key is named somewhere; French sets its signs as
 * French does, in pages of prose too; no text has the signs of a keyboard; every thing is called and every sentence built
 * as `docs/glossary.md` says, except where the specification gives the text to the letter. Prints every breach and fails
 * on any. With `--write` it first writes the declarations that type the keys.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { misplacedSigns, proseOf } from './french-signs.mjs'
import { misnamed, refusedWords } from './glossary.mjs'
import { untypeset } from './signs.mjs'
import { SPECIFIED } from './specified-texts.mjs'

const ROOT = new URL('..', import.meta.url).pathname
/** What the server writes itself. */
const READING = join(ROOT, '../crates/site-pages/src/load/noscript')
const SOURCE = 'fr'
const LANGUAGES = ['fr', 'en', 'es']
const PLURAL = /_(zero|one|two|few|many|other)$/
/** One part of a key: a word or several in camelCase, or a number. */
const KEY_PART = /^(?:[a-z][A-Za-z0-9]*|\d+)$/
/** Below these the parts are words of the database, of the services or of addresses, and keep their spelling. */
const FOREIGN = ['report:reason.', 'moderation:reasons.', 'admin-moderation:fields.']
/** French counts below two in the singular: a figure before a plural needs its forms, or stands behind a label. */
const COUNTED =
  /\{\{(?:formatted|count|votes|amount|saved|total|done|optimized|skipped|failed)\}\}[\s\u00a0]\p{Ll}+s(?!\p{L})/u
/** Figures that are never below two, and no figures at all. */
const NEVER_ONE = ['profile:pass.intro', 'admin-votes:range', 'vote-outcomes:total', 'payments:refund.coming']
/** Texts of the interface are short; contracts and guides may write their verbs out. */
const SHORTENED = 'don’t, isn’t, can’t'
const TYPES = join(ROOT, 'src/lib/i18n/i18n-types.d.ts')

const breaches = []
const texts = Object.fromEntries(LANGUAGES.map((language) => [language, readLanguage(language)]))

if (process.argv.includes('--write')) writeFileSync(TYPES, typesOf([...texts[SOURCE].keys()]))
compareLanguages()
compareStyle()
compareSigns()
compareWords()
compareSpecified()
compareCounts()
compareAccessibleNames()
compareTypes()
compareUses()

for (const breach of breaches) console.error(breach)
if (breaches.length > 0) process.exit(1)

/** namespace -> key -> text, keys flattened with dots. */
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

function compareLanguages() {
  for (const language of LANGUAGES) {
    for (const namespace of new Set([...texts[SOURCE].keys(), ...texts[language].keys()])) {
      const translation = texts[language].get(namespace)
      const source = texts[SOURCE].get(namespace)
      if (!translation || !source) {
        breaches.push(`locales/${translation ? SOURCE : language}/${namespace}.json is missing`)
        continue
      }
      compareKeys(language, namespace, source, translation)
    }
  }
}

function compareKeys(language, namespace, source, translation) {
  const at = `locales/${language}/${namespace}.json`
  const sourceBases = basesOf(source)
  const bases = basesOf(translation)
  for (const key of sourceBases) if (!bases.has(key)) breaches.push(`${at}: ${key} is missing`)
  for (const key of bases) if (!sourceBases.has(key)) breaches.push(`${at}: ${key} is unknown to the source`)
  for (const key of bases) {
    const forms = [...translation.keys()].filter((name) => name.replace(PLURAL, '') === key)
    if (forms.some((name) => PLURAL.test(name))) comparePlurals(language, at, key, forms)
    const expected = placeholdersOf(source, key)
    const actual = placeholdersOf(translation, key)
    for (const name of [...expected, ...actual])
      if (expected.has(name) !== actual.has(name)) breaches.push(`${at}: ${key} differs from the source in {{${name}}}`)
  }
  for (const [key, text] of translation) if (text.trim() === '') breaches.push(`${at}: ${key} is empty`)
}

function comparePlurals(language, at, key, forms) {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const pluralForms = new Set(forms.map((name) => PLURAL.exec(name)?.[1]))
  for (const category of categories)
    if (!pluralForms.has(category)) breaches.push(`${at}: ${key} lacks its form "${category}"`)
  for (const category of pluralForms)
    if (!categories.includes(category))
      breaches.push(`${at}: ${key} has a form "${category}" its language does not know`)
}

function basesOf(keys) {
  return new Set([...keys.keys()].map((key) => key.replace(PLURAL, '')))
}

function placeholdersOf(keys, base) {
  const all = [...keys].filter(([name]) => name.replace(PLURAL, '') === base).map(([, text]) => text)
  return new Set(all.flatMap((text) => [...text.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name)))
}

function compareStyle() {
  for (const [namespace, keys] of texts[SOURCE])
    for (const key of basesOf(keys))
      if (!listed(FOREIGN, namespace, key) && !key.split('.').every((part) => KEY_PART.test(part)))
        breaches.push(`locales/${SOURCE}/${namespace}.json: ${key} is not camelCase, dotted by place`)
}

function compareSigns() {
  const report = (at, text) => {
    for (const found of misplacedSigns(text)) breaches.push(`${at}: a blank that may break, or none: ${found}`)
  }
  for (const { language, at, key, text } of allTexts()) {
    if (language === 'fr') report(`${at}: ${key}`, text)
    for (const instead of untypeset(text)) breaches.push(`${at}: ${key} lacks ${instead}: "${text}"`)
  }
  for (const { language, at, prose } of pagesOfProse()) if (language === 'fr') report(at, prose)
}

/** The pages of prose, without their code and addresses. */
function* pagesOfProse() {
  for (const language of LANGUAGES) {
    const folder = join(ROOT, 'content', language)
    const pages = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : []
    for (const page of pages)
      yield { language, at: `content/${language}/${page}`, prose: proseOf(readFileSync(join(folder, page), 'utf8')) }
  }
}

/** Every text with its place: those of the pages, then those the server writes. */
function* allTexts() {
  for (const language of LANGUAGES) {
    for (const [namespace, keys] of texts[language])
      for (const [key, text] of keys)
        yield { language, name: `${namespace}:${key}`, at: `locales/${language}/${namespace}.json`, key, text }
    const at = `crates/site-pages/src/load/noscript/${language}.json`
    const written = flatten(JSON.parse(readFileSync(join(READING, `${language}.json`), 'utf8')))
    for (const [key, text] of written) yield { language, name: `reading:${key}`, at, key, text }
  }
}

function compareWords() {
  const refused = refusedWords(join(ROOT, '../docs/glossary.md'))
  for (const language of LANGUAGES)
    if (refused[language].length === 0) breaches.push(`docs/glossary.md refuses no word in ${language}`)
  for (const { language, name, at, key, text } of allTexts()) {
    if (name in SPECIFIED[language]) continue
    for (const { word, instead } of misnamed(text, refused[language]))
      breaches.push(`${at}: ${key} says "${word}", which is said as "${instead}" (docs/glossary.md)`)
  }
  for (const { language, at, prose } of pagesOfProse())
    for (const { word, instead } of misnamed(prose, refused[language]))
      if (instead !== SHORTENED) breaches.push(`${at} says "${word}", which is said as "${instead}" (docs/glossary.md)`)
}

function compareSpecified() {
  for (const language of LANGUAGES)
    for (const [name, expected] of Object.entries(SPECIFIED[language])) {
      const [namespace, key] = name.split(':')
      const actual = texts[language].get(namespace)?.get(key)
      if (actual !== expected)
        breaches.push(`locales/${language}/${namespace}.json: ${key} is specified as "${expected}"`)
    }
}

function compareCounts() {
  for (const [namespace, keys] of texts.fr)
    for (const [key, text] of keys)
      if (!PLURAL.test(key) && COUNTED.test(text) && !listed(NEVER_ONE, namespace, key))
        breaches.push(`locales/fr/${namespace}.json: ${key} has one form for every figure: "${text}"`)
}

/** A list names a whole namespace by `namespace:` and a branch of it by `namespace:branch.`. */
/** Whoever speaks to the page says what they see: the name of a button, `<key>Named`, has its text, `<key>`, in it. */
function compareAccessibleNames() {
  for (const language of LANGUAGES)
    for (const [namespace, keys] of texts[language])
      for (const [key, name] of keys) {
        const shownKey = key.endsWith('Named') && keys.get(key.slice(0, -'Named'.length))
        if (shownKey && !spokenText(name).includes(spokenText(shownKey)))
          breaches.push(`locales/${language}/${namespace}.json: ${key} lacks the words of its button: "${shownKey}"`)
      }
}

function spokenText(text) {
  return text
    .toLowerCase()
    .replace(/\{\{.*?\}\}|[«»“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function listed(list, namespace, key) {
  return list.some((start) => `${namespace}:${key}`.startsWith(start))
}

function compareTypes() {
  if (readFileSync(TYPES, 'utf8') !== typesOf([...texts[SOURCE].keys()]))
    breaches.push('src/lib/i18n/i18n-types.d.ts is stale: node scripts/check-locales.mjs --write')
}

/** The source's files type the keys, so that the compiler refuses a key that is not there. */
function typesOf(namespaces) {
  const name = (namespace) => namespace.replace(/-(\w)/g, (_, character) => character.toUpperCase())
  const quoted = (namespace) => (namespace.includes('-') ? `'${namespace}'` : namespace)
  const sorted = namespaces.toSorted()
  return [
    '/** Types the keys of the texts. Written by scripts/check-locales.mjs; not to be edited. */',
    "import 'i18next'",
    ...sorted.map((one) => `import type ${name(one)} from '../../../locales/${SOURCE}/${one}.json'`),
    '',
    "declare module 'i18next' {",
    '  interface CustomTypeOptions {',
    '    defaultNS: false',
    '    resources: {',
    ...sorted.map((one) => `      ${quoted(one)}: typeof ${name(one)}`),
    '    }',
    '  }',
    '}',
    '',
  ].join('\n')
}

/**
 * Unknown keys are refused by the compiler. Unused ones are found here: a key counts as used when a file of the feature
 * its namespace is named after, or another file that names the namespace, holds the key or a template that fits it.
 */
function compareUses() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, 'src', file), 'utf8') }))
  for (const [namespace, keys] of texts[SOURCE]) {
    const named = files
      .filter(
        ({ file, text }) =>
          file.startsWith(`features/${namespace}/`) ||
          text.includes(`'${namespace}'`) ||
          text.includes(`${namespace}:`),
      )
      .map(({ text }) => text)
    if (named.length === 0) breaches.push(`locales/${SOURCE}/${namespace}.json is not used`)
    const bare = (key) => key.replace(`${namespace}:`, '')
    const literals = new Set(
      named.flatMap((text) => [...text.matchAll(/'([\w.:-]+)'/g)].map(([, literal]) => bare(literal))),
    )
    const patterns = named.flatMap((text) =>
      [...text.matchAll(/`([\w.:-]*(?:\$\{[^}]+\}[\w.-]*)+)`/g)].map(([, template]) => patternOf(bare(template))),
    )
    for (const key of basesOf(keys))
      if (!literals.has(key) && !patterns.some((pattern) => pattern.test(key)))
        breaches.push(`locales/${SOURCE}/${namespace}.json: ${key} is not used`)
  }
}

function patternOf(template) {
  const fixed = template.split(/\$\{[^}]+\}/).map((part) => part.replaceAll('.', String.raw`\.`))
  return new RegExp(`^${fixed.join('[\\w.-]+')}$`)
}
