/**
 * Checks who may import whom: lib <- entities <- components <- features <- app; no feature imports
 * another, no import cycles, API clients only where rows are queried, no barrel files. Also checks
 * that each cache key is filled by one query. Prints every breach and fails if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

const ROOT = new URL('..', import.meta.url).pathname
const SRC = join(ROOT, 'src')

const RANK = { lib: 0, styles: 0, entities: 1, components: 2, testing: 2, features: 3, app: 4 }
const CLIENTS = new Set([
  '@/lib/api/supabase',
  '@/lib/api/storage',
  '@/lib/api/public-data',
  '@/lib/api/rows-client',
  '@/lib/api/channels',
  ...['supabase', 'auth', 'postgrest', 'realtime', 'storage'].map((name) => `@supabase/${name}-js`),
])
/**
 * Patterns that are allowed in certain files only: the pattern, those files, and the rule. `lazy`
 * uses the storage itself, because it must know whether its entry was stored.
 */
const RESTRICTED_PATTERNS = [
  [
    /queryKey:\s*\[|[Kk]ey:\s*\['/,
    /^(?:entities\/[^/]+|lib\/session)\/keys\.ts$/,
    'cache keys are defined in entities/<entity>/keys',
  ],
  [/invalidates:\s*\[\s*\[/, /^$/, 'cache keys are defined in entities/<entity>/keys'],
  [/useMutation\(\s*\{/, /^$/, 'a mutation is a mutationOptions() in its api/, and is used unchanged'],
  [
    /mutationOptions\(/,
    /^(?:features\/[^/]+\/api\/|entities\/|lib\/)/,
    'mutations are defined in entities and features/*/api',
  ],
  [
    /invalidateQueries\(/,
    /^lib\/query\/query-client\.ts$/,
    'a mutation names the keys that it invalidates in its meta',
  ],
  [
    /\b(?:local|session)Storage\b\s*[.[]/,
    /^(?:lib\/browser\/(?:stored|lazy)|test-setup)\.ts$/,
    'browser storage is accessed through lib/browser/stored',
  ],
  [/\blazy\(/, /^lib\/browser\/lazy\.ts$/, 'a lazy component is a lazyComponent(), which retries a failed fetch'],
  [
    /\bLink\b[^;\n]*from 'react-router'/,
    /^components\/ui\/link\.tsx$/,
    "links are components/ui/link: the router's own adds three kilobytes to every page",
  ],
  [/new Intl\./, /^lib\/i18n\/format(?:-relative)?\.ts$/, 'dates and numbers are formatted by lib/i18n/format'],
  [/\.(?:overrideTypes|returns)</, /^$/, 'the types of rows follow from their columns, written as one literal'],
  [
    /<(?:a|abbr|button|Button|i|li|Link|p|span|td|time)\b[^<>]*\stitle=/,
    /^features\/kit\//,
    "a hint is an element's data-tooltip: a title is invisible on touch screens and for keyboard users",
  ],
  [
    /<img\b/,
    /^(?:components\/ui\/picture|components\/image\/picture-address-field|features\/home\/components\/backdrop|features\/account\/components\/totp-setup-dialog)\.tsx$/,
    'pictures are drawn by components/ui/picture, which hides those that do not load',
  ],
]
const breaches = []
/** The modules that each module imports, as values or as types. */
const imported = new Map()
/** The queries that fill each cache key. */
const queriesOf = new Map()

for (const file of readdirSync(SRC, { recursive: true })) {
  if (!/\.tsx?$/.test(file)) continue
  const text = readFileSync(join(SRC, file), 'utf8')
  if (/^lib\/(?!config|database)[^/]+\.tsx?$/.test(file)) breaches.push(`${file}: lib is sorted by subject`)
  if (/(^|\/)index\.tsx?$/.test(file)) breaches.push(`${file}: barrel files hide where modules are defined`)
  for (const { specifier, typeOnly } of importsOf(text)) check(file, specifier, typeOnly)
  if (!isTest(file)) {
    checkPatterns(file, text)
    collectImports(file, text)
    collectQueries(file, text)
  }
}
for (const cycle of importCycles()) breaches.push(`${cycle.join(' -> ')}: import cycles are not allowed`)
for (const [key, files] of queriesOf)
  if (files.length > 1) breaches.push(`${files.join(', ')}: ${key} has one query, in entities`)

for (const breach of breaches) console.error(breach)
if (breaches.length > 0) process.exit(1)

function check(file, specifier, typeOnly) {
  if (CLIENTS.has(normalized(file, specifier)) && !typeOnly && !mayReachClients(file))
    breaches.push(`${file}: only entities, features/*/api and lib may import ${specifier}`)
  const target = targetOf(file, specifier)
  if (target === null) return
  const from = layerOf(file)
  const to = layerOf(target)
  if (to.layer === 'testing') {
    if (!isTest(file)) breaches.push(`${file}: only tests may import ${specifier}`)
    return
  }
  if (RANK[to.layer] > RANK[from.layer])
    breaches.push(`${file}: ${from.layer} must not import ${to.layer} (${specifier})`)
  if (from.layer === 'features' && to.layer === 'features' && from.feature !== to.feature)
    breaches.push(`${file}: features must not import each other (${specifier})`)
}

function mayReachClients(file) {
  return /^(lib|entities|testing)\//.test(file) || /^features\/[^/]+\/api\//.test(file) || isTest(file)
}

function isTest(file) {
  return file.startsWith('testing/') || /\.test\.tsx?$/.test(file)
}

function checkPatterns(file, text) {
  for (const [pattern, allowedFiles, rule] of RESTRICTED_PATTERNS)
    if (pattern.test(text) && !allowedFiles.test(file)) breaches.push(`${file}: ${rule}`)
  // A query must be cancelled when its last observer unmounts. Only the auth client takes no
  // signal.
  if (/queryFn/.test(text) && /\.(?:from|rpc|invoke)\(/.test(text) && !/signal/.test(text))
    breaches.push(`${file}: a query must pass its signal on`)
}

/** Dynamic imports are not part of a cycle: they may lead back to the importing module. */
function collectImports(file, text) {
  const targets = importsOf(text, { withDynamic: false }).map(({ specifier }) => targetOf(file, specifier))
  imported.set(
    file.replace(/\.tsx?$/, ''),
    targets.filter((target) => target !== null),
  )
}

/**
 * The first import cycle through each module that is in one, beginning with the module where the
 * search entered it.
 */
function importCycles() {
  const cycles = []
  const visited = new Set()
  const visit = (module, path) => {
    const start = path.indexOf(module)
    if (start >= 0) cycles.push([...path.slice(start), module])
    if (start >= 0 || visited.has(module)) return
    for (const target of imported.get(module) ?? []) visit(target, [...path, module])
    visited.add(module)
  }
  for (const module of imported.keys()) visit(module, [])
  return cycles
}

/** Only literal parameters distinguish keys. The kit's page has sample rows under its own keys. */
function collectQueries(file, text) {
  if (file.startsWith('features/kit/')) return
  for (const [, path, parameters] of text.matchAll(/queryKey:\s*(\w*[kK]eys\.[\w.]+)(?:\(([^)]*)\))?,\s*queryFn/g)) {
    const values = parameters?.split(',').map((one) => (/^\s*['"\d]/.test(one) ? one.trim() : '…'))
    const key = values === undefined ? path : `${path}(${values.join(', ')})`
    queriesOf.set(key, [...(queriesOf.get(key) ?? []), file])
  }
}

/** The layer and feature of a path under src; a file directly in src belongs to app. */
function layerOf(path) {
  const [layer, feature] = path.split('/')
  return layer in RANK ? { layer, feature } : { layer: 'app', feature: undefined }
}

/** A path under src, or null for packages and for files outside. */
function targetOf(file, specifier) {
  if (specifier.startsWith('@/')) return specifier.slice(2)
  if (!specifier.startsWith('.')) return null
  const path = relative(SRC, normalize(join(SRC, dirname(file), specifier)))
  return path.startsWith('..') ? null : path
}

function normalized(file, specifier) {
  const target = targetOf(file, specifier)
  return target === null ? specifier : `@/${target}`
}

function importsOf(text, { withDynamic = true } = {}) {
  const found = []
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g, '$1')
  for (const [, kind, specifier] of code.matchAll(/(?:^|\n)\s*(import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/g))
    found.push({ specifier, kind })
  const types = new Set(
    [...code.matchAll(/(?:^|\n)\s*import\s+type\s[^'"]*?from\s['"]([^'"]+)['"]/g)].map(([, name]) => name),
  )
  if (withDynamic)
    for (const [, specifier] of code.matchAll(/import\(\s*['"]([^'"]+)['"]\s*\)/g)) found.push({ specifier })
  return found.map(({ specifier }) => ({ specifier, typeOnly: types.has(specifier) }))
}
