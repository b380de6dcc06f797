/**
 * Checks the texts: every language has the same files, keys and placeholders, and the plural forms of its rules; every
 * key is in camelCase; the code uses every key; French texts and pages follow French typography; no text contains
 * keyboard substitutes for typeset characters; no text contains a word that `docs/glossary.md` refuses, unless the
 * specification prescribes the text. Prints every breach and fails if there is one. With `--write` it first writes the
 * declarations that type the keys.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { misplacedSpaces, proseOf } from './french-signs.mjs'
import { refusedWordsIn, refusedWords } from './glossary.mjs'
import { keyboardSubstitutes } from './signs.mjs'
import { SPECIFIED } from './specified-texts.mjs'

const ROOT = new URL('..', import.meta.url).pathname
/** The texts that the server writes into pages for visitors without scripts. */
const NOSCRIPT = join(ROOT, '../crates/site-pages/src/load/noscript')
const SOURCE = 'fr'
const LANGUAGES = ['fr', 'en', 'es']
const PLURAL = /_(zero|one|two|few|many|other)$/
/** One part of a key: a word or several in camelCase, or a number. */
const KEY_PART = /^(?:[a-z][A-Za-z0-9]*|\d+)$/
/** Branches whose keys are identifiers of the database, of the services or of URLs, and keep their spelling. */
const EXTERNAL_KEYS = ['report:reason.', 'moderation:reasons.', 'admin-moderation:fields.']
/** A number before a French plural. French uses the singular below two, so such a text needs plural forms. */
const COUNTED_PLURAL =
  /\{\{(?:formatted|count|votes|amount|saved|total|done|optimized|skipped|failed)\}\}[\s\u00a0]\p{Ll}+s(?!\p{L})/u
/** Texts whose number is never below two, and texts without a number that match the pattern. */
const NEVER_ONE = ['profile:pass.intro', 'admin-votes:range', 'vote-outcomes:total', 'payments:refund.coming']
/** The rule that requires contractions; pages of prose are exempt from it. */
const CONTRACTIONS = 'don’t, isn’t, can’t'
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
  const actual = new Set(forms.map((name) => PLURAL.exec(name)?.[1]))
  for (const category of categories)
    if (!actual.has(category)) breaches.push(`${at}: ${key} lacks its form "${category}"`)
  for (const category of actual)
    if (!categories.includes(category))
      breaches.push(`${at}: ${key} has a form "${category}", which its language does not use`)
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
      if (!listed(EXTERNAL_KEYS, namespace, key) && !key.split('.').every((part) => KEY_PART.test(part)))
        breaches.push(`locales/${SOURCE}/${namespace}.json: ${key} is not in camelCase, with dots between its parts`)
}

function compareSigns() {
  const report = (at, text) => {
    for (const found of misplacedSpaces(text)) breaches.push(`${at}: a missing or breakable space: ${found}`)
  }
  for (const { language, at, key, text } of allTexts()) {
    if (language === 'fr') report(`${at}: ${key}`, text)
    for (const instead of keyboardSubstitutes(text)) breaches.push(`${at}: ${key} should contain ${instead}: "${text}"`)
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

/** Every text with its file and key: those of the pages, then those of the server. */
function* allTexts() {
  for (const language of LANGUAGES) {
    for (const [namespace, keys] of texts[language])
      for (const [key, text] of keys)
        yield { language, name: `${namespace}:${key}`, at: `locales/${language}/${namespace}.json`, key, text }
    const at = `crates/site-pages/src/load/noscript/${language}.json`
    const written = flatten(JSON.parse(readFileSync(join(NOSCRIPT, `${language}.json`), 'utf8')))
    for (const [key, text] of written) yield { language, name: `noscript:${key}`, at, key, text }
  }
}

function compareWords() {
  const refused = refusedWords(join(ROOT, '../docs/glossary.md'))
  for (const language of LANGUAGES)
    if (refused[language].length === 0) breaches.push(`docs/glossary.md refuses no word in ${language}`)
  for (const { language, name, at, key, text } of allTexts()) {
    if (name in SPECIFIED[language]) continue
    for (const { word, instead } of refusedWordsIn(text, refused[language]))
      breaches.push(`${at}: ${key} contains "${word}"; use "${instead}" (docs/glossary.md)`)
  }
  for (const { language, at, prose } of pagesOfProse())
    for (const { word, instead } of refusedWordsIn(prose, refused[language]))
      if (instead !== CONTRACTIONS) breaches.push(`${at} contains "${word}"; use "${instead}" (docs/glossary.md)`)
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
      if (!PLURAL.test(key) && COUNTED_PLURAL.test(text) && !listed(NEVER_ONE, namespace, key))
        breaches.push(`locales/fr/${namespace}.json: ${key} has one form for every number: "${text}"`)
}

/**
 * Voice control finds a button by its visible text, so the accessible name, `<key>Named`, must contain that text,
 * `<key>`.
 */
function compareAccessibleNames() {
  for (const language of LANGUAGES)
    for (const [namespace, keys] of texts[language])
      for (const [key, name] of keys) {
        const visible = key.endsWith('Named') && keys.get(key.slice(0, -'Named'.length))
        if (visible && !normalized(name).includes(normalized(visible)))
          breaches.push(
            `locales/${language}/${namespace}.json: ${key} lacks the visible text of its button: "${visible}"`,
          )
      }
}

function normalized(text) {
  return text
    .toLowerCase()
    .replace(/\{\{.*?\}\}|[«»“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A list contains a whole namespace as `namespace:` and a branch as `namespace:branch.`. */
function listed(list, namespace, key) {
  return list.some((start) => `${namespace}:${key}`.startsWith(start))
}

function compareTypes() {
  if (readFileSync(TYPES, 'utf8') !== typesOf([...texts[SOURCE].keys()]))
    breaches.push('src/lib/i18n/i18n-types.d.ts is stale: node scripts/check-locales.mjs --write')
}

/** The source language's files type the keys, so that the compiler refuses a missing key. */
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
 * The compiler refuses unknown keys; this finds unused ones. A key is used if a file contains it, or a template that
 * matches it, and the file belongs to the feature with the name of the namespace or names the namespace.
 */
function compareUses() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, 'src', file), 'utf8') }))
  for (const [namespace, keys] of texts[SOURCE]) {
    const candidates = files
      .filter(
        ({ file, text }) =>
          file.startsWith(`features/${namespace}/`) ||
          text.includes(`'${namespace}'`) ||
          text.includes(`${namespace}:`),
      )
      .map(({ text }) => text)
    if (candidates.length === 0) breaches.push(`locales/${SOURCE}/${namespace}.json is not used`)
    const bare = (key) => key.replace(`${namespace}:`, '')
    const literals = new Set(
      candidates.flatMap((text) => [...text.matchAll(/'([\w.:-]+)'/g)].map(([, literal]) => bare(literal))),
    )
    const patterns = candidates.flatMap((text) =>
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
