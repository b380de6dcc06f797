/**
 * Holds the texts: every language has the same files, keys, placeholders and the plural forms its rules need; every
 * key the code names exists; every key is named somewhere. Prints every breach and fails on any.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = new URL('..', import.meta.url).pathname
const SOURCE = 'fr'
const LANGUAGES = ['fr', 'en', 'es']
const PLURAL = /_(zero|one|two|few|many|other)$/
/** Written into the page by the server as well, which names its keys itself. */
const SERVED = new Set(['seo'])

const breaches = []
const texts = Object.fromEntries(LANGUAGES.map((language) => [language, readLanguage(language)]))

compareLanguages()
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
      const ours = texts[language].get(namespace)
      const source = texts[SOURCE].get(namespace)
      if (!ours || !source) {
        breaches.push(`locales/${ours ? SOURCE : language}/${namespace}.json is missing`)
        continue
      }
      compareKeys(language, namespace, source, ours)
    }
  }
}

function compareKeys(language, namespace, source, ours) {
  const at = `locales/${language}/${namespace}.json`
  const sourceBases = basesOf(source)
  const bases = basesOf(ours)
  for (const key of sourceBases) if (!bases.has(key)) breaches.push(`${at}: ${key} is missing`)
  for (const key of bases) if (!sourceBases.has(key)) breaches.push(`${at}: ${key} is unknown to the source`)
  for (const key of bases) {
    const forms = [...ours.keys()].filter((name) => name.replace(PLURAL, '') === key)
    if (forms.some((name) => PLURAL.test(name))) comparePlurals(language, at, key, forms)
    const wanted = placeholdersOf(source, key)
    const given = placeholdersOf(ours, key)
    for (const name of [...wanted, ...given])
      if (wanted.has(name) !== given.has(name)) breaches.push(`${at}: ${key} differs from the source in {{${name}}}`)
  }
  for (const [key, text] of ours) if (text.trim() === '') breaches.push(`${at}: ${key} is empty`)
}

function comparePlurals(language, at, key, forms) {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const given = new Set(forms.map((name) => PLURAL.exec(name)?.[1]))
  for (const category of categories)
    if (!given.has(category)) breaches.push(`${at}: ${key} lacks its form "${category}"`)
  for (const category of given)
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

/** Every namespace types its keys. */
function compareTypes() {
  const declared = readFileSync(join(ROOT, 'src/lib/i18n-types.d.ts'), 'utf8')
  for (const namespace of texts[SOURCE].keys())
    if (!declared.includes(`locales/${SOURCE}/${namespace}.json`))
      breaches.push(`src/lib/i18n-types.d.ts does not know the namespace ${namespace}`)
}

/**
 * Unknown keys are refused by the compiler, which types them from the source. Unused ones are found here: a key counts
 * as used when a file that names its namespace holds the key, or a template whose fixed parts fit it.
 */
function compareUses() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'))
  for (const [namespace, keys] of texts[SOURCE]) {
    if (SERVED.has(namespace)) continue
    const named = files.filter((text) => text.includes(`'${namespace}'`) || text.includes(`${namespace}:`))
    if (named.length === 0) breaches.push(`locales/${SOURCE}/${namespace}.json is not used`)
    const literals = new Set(
      files.flatMap((text) => [...text.matchAll(/['"]([\w.-]+)['"]/g)].map(([, literal]) => literal)),
    )
    const patterns = named.flatMap((text) =>
      [...text.matchAll(/`([\w.-]*(?:\$\{[^}]+\}[\w.-]*)+)`/g)].map(([, template]) => patternOf(template)),
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
