// Writes src/lib/database.ts from the catalog of the database that DATABASE_URL names: the objects
// of `public` that a browser may reach, in the format that the published client expects. With
// --check it only reports whether the file is up to date.
import { readFile, writeFile } from 'node:fs/promises'
import postgres from 'postgres'

const FILE = new URL('../src/lib/database.ts', import.meta.url)

// PostgreSQL does not say which columns of a view can be null. A column that comes from the view's
// main table under its own name is as nullable as there; these columns are computed and have a
// value in every row.
const STANDING_COLUMNS =
  'is_online online_players max_players total_votes monthly_votes weekly_votes daily_votes clicks'.split(' ')
const NEVER_NULL = {
  servers_public: [
    ...STANDING_COLUMNS,
    'game_id',
    'tags',
    'is_prestige',
    'created_at',
    'rank',
    'game_rank',
    'game_slug',
  ],
  servers: STANDING_COLUMNS,
  servers_managed: STANDING_COLUMNS,
  reviews_public: ['is_mine'],
}

/** Columns without a default that a trigger fills: an insert may omit them. */
const FILLED_BY_TRIGGER = { servers: ['is_approved'] }

const KINDS = {
  string: [
    'uuid',
    'text',
    'varchar',
    'bpchar',
    'name',
    'citext',
    'timestamptz',
    'timestamp',
    'date',
    'time',
    'timetz',
    'interval',
    'inet',
    'cidr',
    'bytea',
  ],
  number: ['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'],
  boolean: ['bool'],
  Json: ['json', 'jsonb'],
  undefined: ['void'],
}
const KIND_OF = new Map(Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind])))

function typeOf(name) {
  if (name.startsWith('_')) return `${typeOf(name.slice(1))}[]`
  return KIND_OF.get(name) ?? 'unknown'
}

/**
 * An address of a server that listens on a Unix socket only has the socket's folder, URL-encoded,
 * as its host.
 */
function connect(address) {
  const options = { max: 1, onnotice: () => {} }
  const url = new URL(address)
  const host = decodeURIComponent(url.hostname)
  if (!host.startsWith('/')) return postgres(address, options)
  return postgres({
    ...options,
    path: `${host}/.s.PGSQL.${url.port || 5432}`,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  })
}

const sql = connect(process.env.DATABASE_URL)

const columns = await sql`
  select
    c.relname as relation,
    c.relkind in ('v', 'm') as is_view,
    a.attname as name,
    a.attnum as position,
    t.typname as type,
    a.attnotnull as is_required,
    a.atthasdef or a.attidentity <> '' as has_default,
    a.attgenerated <> '' or a.attidentity = 'a' as is_generated,
    has_column_privilege('anon', c.oid, a.attnum, 'select') or has_column_privilege('authenticated', c.oid, a.attnum, 'select') as is_read,
    has_column_privilege('authenticated', c.oid, a.attnum, 'insert') as is_inserted,
    has_column_privilege('authenticated', c.oid, a.attnum, 'update') as is_updated
  from pg_catalog.pg_class c
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
  order by c.relname, a.attnum`

const sources = await sql`
  select distinct v.relname as view, b.relname as relation
  from pg_catalog.pg_class v
  join pg_catalog.pg_rewrite w on w.ev_class = v.oid
  join pg_catalog.pg_depend d on d.objid = w.oid and d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
  join pg_catalog.pg_class b on b.oid = d.refobjid and b.oid <> v.oid
  where v.relnamespace = 'public'::regnamespace and v.relkind = 'v' and b.relnamespace = 'public'::regnamespace`

const references = await sql`
  select
    k.conname as name,
    c.relname as relation,
    r.relname as referenced,
    array(select a.attname::text from unnest(k.conkey) with ordinality x(n, i) join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = x.n order by x.i) as columns,
    array(select a.attname::text from unnest(k.confkey) with ordinality x(n, i) join pg_catalog.pg_attribute a on a.attrelid = r.oid and a.attnum = x.n order by x.i) as referenced_columns,
    exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
      and (select array_agg(n order by n) from unnest(i.indkey::int2[]) n) = (select array_agg(n order by n) from unnest(k.conkey) n)) as is_one_to_one
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and r.relnamespace = 'public'::regnamespace
  order by c.relname, k.conname`

const procedures = await sql`
  select
    p.proname as name,
    p.proretset as is_set,
    t.typname as type,
    case when t.typtype = 'c' then t.typname end as row_of,
    coalesce(p.proargnames, '{}') as names,
    coalesce(p.proargmodes::text[], array_fill('i'::text, array[p.pronargs::int])) as modes,
    array(select y.typname::text from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality x(o, i) join pg_catalog.pg_type y on y.oid = x.o order by x.i) as types,
    p.pronargdefaults as defaults
  from pg_catalog.pg_proc p
  join pg_catalog.pg_type t on t.oid = p.prorettype
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and t.typname not in ('trigger', 'event_trigger')
    and not exists (select from pg_catalog.pg_depend d where d.objid = p.oid and d.deptype = 'e')
    and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))
  order by p.proname`

await sql.end()

const relations = Map.groupBy
  ? Map.groupBy(columns, (column) => column.relation)
  : columns.reduce(
      (groups, column) => groups.set(column.relation, [...(groups.get(column.relation) ?? []), column]),
      new Map(),
    )

const isReachable = (name) => (relations.get(name) ?? []).some((column) => column.is_read || column.is_inserted)

/** The table from which most of a view's columns come. */
function mainTable(view) {
  const named = new Set(relations.get(view).map((column) => column.name))
  const shared = (table) => relations.get(table).filter((column) => named.has(column.name)).length
  const tables = sources
    .filter((source) => source.view === view && relations.has(source.relation))
    .map((source) => source.relation)
  return tables.toSorted((a, b) => shared(b) - shared(a) || a.localeCompare(b))[0]
}

function isRequired(column) {
  if (!column.is_view) return column.is_required
  if (NEVER_NULL[column.relation]?.includes(column.name)) return true
  const source = relations.get(mainTable(column.relation))?.find((other) => other.name === column.name)
  return source !== undefined && source.type === column.type && source.is_required
}

const orNull = (type, required) => (required ? type : `${type} | null`)

/**
 * A function that takes a row of a relation is a computed column, which is returned only when it is
 * named.
 */
const computed = (relation) => procedures.filter((p) => p.types.length === 1 && p.types[0] === relation)

const lines = []
const put = (depth, text) => lines.push('  '.repeat(depth) + text)
const block = (depth, head, rows) => {
  if (rows.length === 0) return put(depth, `${head}: Record<never, never>`)
  put(depth, `${head}: {`)
  for (const row of rows) put(depth + 1, row)
  put(depth, '}')
}

function rowLines(name) {
  const own = relations.get(name).filter((column) => column.is_read)
  return [
    ...own.map((column) => `${column.name}: ${orNull(typeOf(column.type), isRequired(column))}`),
    ...computed(name).map(
      (procedure) => `${procedure.name}: ${orNull(typeOf(procedure.type), NEVER_NULL[name]?.includes(procedure.name))}`,
    ),
  ]
}

function putRelation(depth, name, isView) {
  put(depth, `${name}: {`)
  block(depth + 1, 'Row', rowLines(name))
  if (!isView) {
    const inserted = relations.get(name).filter((column) => column.is_inserted && !column.is_generated)
    const updated = relations.get(name).filter((column) => column.is_updated && !column.is_generated)
    block(
      depth + 1,
      'Insert',
      inserted.map(
        (c) =>
          `${c.name}${c.is_required && !c.has_default && !FILLED_BY_TRIGGER[c.relation]?.includes(c.name) ? '' : '?'}: ${orNull(typeOf(c.type), c.is_required)}`,
      ),
    )
    block(
      depth + 1,
      'Update',
      updated.map((c) => `${c.name}?: ${orNull(typeOf(c.type), c.is_required)}`),
    )
  }
  putRelationships(
    depth + 1,
    isView ? inheritedReferences(name) : references.filter((reference) => reference.relation === name),
  )
  put(depth, '}')
}

/** A view has the foreign keys of its main table whose columns it shows. */
function inheritedReferences(view) {
  const named = new Set(relations.get(view).map((column) => column.name))
  const main = mainTable(view)
  return references.filter(
    (reference) => reference.relation === main && reference.columns.every((column) => named.has(column)),
  )
}

function putRelationships(depth, all) {
  const reachable = all.filter((reference) => isReachable(reference.referenced))
  if (reachable.length === 0) return put(depth, 'Relationships: []')
  const list = (names) => `[${names.map((name) => `'${name}'`).join(', ')}]`
  put(depth, 'Relationships: [')
  for (const reference of reachable) {
    put(depth + 1, '{')
    put(depth + 2, `foreignKeyName: '${reference.name}'`)
    put(depth + 2, `columns: ${list(reference.columns)}`)
    put(depth + 2, `isOneToOne: ${reference.is_one_to_one}`)
    put(depth + 2, `referencedRelation: '${reference.referenced}'`)
    put(depth + 2, `referencedColumns: ${list(reference.referenced_columns)}`)
    put(depth + 1, '},')
  }
  put(depth, ']')
}

function argumentsOf(procedure) {
  const all = procedure.types.map((type, index) => ({
    type,
    name: procedure.names[index],
    mode: procedure.modes[index],
  }))
  const inputs = all.filter((argument) => 'ibv'.includes(argument.mode))
  const outputs = all.filter((argument) => 'obt'.includes(argument.mode))
  return {
    inputs: inputs.map((a, index) => ({ ...a, isOptional: index >= inputs.length - procedure.defaults })),
    outputs,
  }
}

function putProcedure(depth, procedure) {
  const { inputs, outputs } = argumentsOf(procedure)
  put(depth, `${procedure.name}: {`)
  if (inputs.length === 0) put(depth + 1, 'Args: never')
  else
    block(
      depth + 1,
      'Args',
      inputs.map((a) => `${a.name}${a.isOptional ? '?' : ''}: ${typeOf(a.type)}`),
    )
  const set = procedure.is_set ? '[]' : ''
  if (outputs.length > 0) {
    put(depth + 1, 'Returns: {')
    for (const column of outputs) put(depth + 2, `${column.name}: ${typeOf(column.type)}`)
    put(depth + 1, `}${set}`)
  } else if (procedure.row_of !== null && isReachable(procedure.row_of)) {
    put(
      depth + 1,
      `Returns: Database['public']['${isView(procedure.row_of) ? 'Views' : 'Tables'}']['${procedure.row_of}']['Row']${set}`,
    )
  } else put(depth + 1, `Returns: ${typeOf(procedure.type)}${set}`)
  put(depth, '}')
}

const reachable = [...relations.keys()].filter(isReachable)
const isView = (name) => relations.get(name)[0].is_view
lines.push('/**', ' * The rows and procedures of the site that a browser can reach, as the API serves them.')
lines.push(' * Generated by scripts/generate-database-types from sql/; not edited by hand.', ' */')
lines.push('export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]', '')
lines.push('export type Database = {')
put(1, 'public: {')
put(2, 'Tables: {')
for (const name of reachable.filter((relation) => !isView(relation))) putRelation(3, name, false)
put(2, '}')
put(2, 'Views: {')
for (const name of reachable.filter(isView)) putRelation(3, name, true)
put(2, '}')
put(2, 'Functions: {')
for (const procedure of procedures.filter((p) => !(p.types.length === 1 && relations.has(p.types[0]))))
  putProcedure(3, procedure)
put(2, '}')
put(2, 'Enums: Record<never, never>')
put(2, 'CompositeTypes: Record<never, never>')
put(1, '}')
lines.push('}', '')

const text = lines.join('\n')
const before = await readFile(FILE, 'utf8').catch(() => '')
if (process.argv.includes('--check')) {
  if (before === text) process.exit(0)
  console.error(
    'frontend/src/lib/database.ts is stale: it differs from the types that sql/ yields; run `just database-types`',
  )
  process.exit(1)
}
if (before !== text) await writeFile(FILE, text)
console.log(before === text ? 'database types are up to date' : 'wrote frontend/src/lib/database.ts')
