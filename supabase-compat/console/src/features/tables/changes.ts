/**
 * Statements that change rows. A row is identified by its key (or its place) and by the transaction
 * that wrote the shown version: a write to a row that somebody else has changed since affects no
 * row, and the editor reports it.
 */
import type { Column, Relation } from '@/postgres/catalog'
import { Parameters, identifier, qualified } from '@/postgres/quote'
import { cellExpression, identityOf, type PageRow, type Statement } from './paging'

/** A new value: a text, null, or the column's default. */
export type NewValue = { text: string | null } | 'default'

/**
 * Changes cells of one row. Returns the new version and cells, or no row if the version is
 * outdated.
 */
export function updateStatement(
  relation: Relation,
  row: Pick<PageRow, 'identity' | 'version'>,
  values: ReadonlyMap<string, NewValue>,
): Statement {
  const parameters = new Parameters()
  const sets = [...values].map(([name, value]) => {
    const column = columnOf(relation, name)
    return `${identifier(name)} = ${value === 'default' ? 'default' : parameters.add(value.text, column.type)}`
  })
  const conditions = [...identityConditions(relation, row, parameters), `xmin = ${parameters.add(row.version, 'xid')}`]
  return {
    query: `update ${nameOf(relation)} set ${sets.join(', ')} where ${conditions.join(' and ')} returning ${selectList(relation)}`,
    parameters: parameters.values,
  }
}

/** Reads the current version of a row, optionally with whole cells. */
export function rowStatement(relation: Relation, row: Pick<PageRow, 'identity'>, isWhole = false): Statement {
  const parameters = new Parameters()
  const conditions = identityConditions(relation, row, parameters)
  return {
    query: `select ${selectList(relation, isWhole)} from ${nameOf(relation)} where ${conditions.join(' and ')} limit 1`,
    parameters: parameters.values,
  }
}

/** The maximum length of an editable cell; a longer one is shown in part and can be downloaded. */
export const EDITED_LENGTH = 1_000_000

/**
 * Reads a cell up to {@link EDITED_LENGTH}, its size in bytes, and whether that is all; or all of
 * it.
 */
export function cellStatement(
  relation: Relation,
  row: Pick<PageRow, 'identity'>,
  column: string,
  isWhole = false,
): Statement {
  const parameters = new Parameters()
  const conditions = identityConditions(relation, row, parameters)
  const text = `${identifier(column)}::text`
  const preview = isWhole ? text : `left(${text}, ${EDITED_LENGTH})`
  return {
    query:
      `select ${preview} as value, octet_length(${text}) as bytes, length(${text}) <= ${EDITED_LENGTH} as is_whole ` +
      `from ${nameOf(relation)} where ${conditions.join(' and ')} limit 1`,
    parameters: parameters.values,
  }
}

/** Inserts one row; other columns get their default. */
export function insertStatement(relation: Relation, values: ReadonlyMap<string, NewValue>): Statement {
  const parameters = new Parameters()
  const entries = [...values].filter(([, value]) => value !== 'default')
  if (entries.length === 0) {
    return { query: `insert into ${nameOf(relation)} default values returning ${selectList(relation)}`, parameters: [] }
  }
  const names = entries.map(([name]) => identifier(name)).join(', ')
  const placeholders = entries.map(([name, value]) =>
    value === 'default' ? 'default' : parameters.add(value.text, columnOf(relation, name).type),
  )
  const overriding = entries.some(([name]) => columnOf(relation, name).identity === 'a')
    ? ' overriding system value'
    : ''
  return {
    query: `insert into ${nameOf(relation)} (${names})${overriding} values (${placeholders.join(', ')}) returning ${selectList(relation)}`,
    parameters: parameters.values,
  }
}

/**
 * Deletes the rows whose version is still the shown one, and returns each as a JSON list of the
 * texts of {@link storedColumns}, from which {@link restoreStatement} restores them.
 */
export function deleteStatement(relation: Relation, rows: readonly Pick<PageRow, 'identity' | 'version'>[]): Statement {
  const targets = rows.map(({ identity, version }) => [...identity, version])
  const columns = identityColumns(relation)
  const conditions = columns.map(({ expression, type }, place) => `o.${expression} = (r.value->>${place})::${type}`)
  const texts = storedColumns(relation).map(({ name }) => `o.${identifier(name)}::text`)
  return {
    query:
      `delete from ${nameOf(relation)} as o using pg_catalog.jsonb_array_elements($1::text::jsonb) as r(value) ` +
      `where ${conditions.join(' and ')} and o.xmin = (r.value->>${columns.length})::xid ` +
      `returning to_json(array[${texts.join(', ')}]::text[])::text`,
    parameters: [JSON.stringify(targets)],
  }
}

/** Restores deleted rows with their former values. */
export function restoreStatement(relation: Relation, rows: readonly (readonly (string | null)[])[]): Statement {
  const columns = storedColumns(relation)
  return {
    query: `${insertFromList(relation, columns, '$1::text::jsonb')}`,
    parameters: [JSON.stringify(rows)],
  }
}

/** The stored columns: all that are not generated. */
function storedColumns(relation: Relation): Column[] {
  return relation.columns.filter(({ generated }) => !generated)
}

/** Other tables whose rows are deleted, or lose their reference, with rows of this one. */
export function cascadesOf(relation: Relation): string[] {
  return relation.references
    .filter(({ on_delete: action }) => action === 'c' || action === 'n' || action === 'd')
    .map(({ schema, table }) => (schema === relation.schema ? table : `${schema}.${table}`))
}

function insertFromList(relation: Relation, columns: readonly Column[], list: string): string {
  const names = columns.map(({ name }) => identifier(name)).join(', ')
  const values = columns.map(({ type }, place) => `(e.value->>${place})::${type}`).join(', ')
  const overriding = columns.some(({ identity }) => identity !== '') ? ' overriding system value' : ''
  return (
    `insert into ${nameOf(relation)} (${names})${overriding} select ${values} ` +
    `from pg_catalog.jsonb_array_elements(${list}) with ordinality as e(value, place) order by e.place`
  )
}

interface IdentityColumn {
  expression: string
  type: string
}

function identityColumns(relation: Relation): IdentityColumn[] {
  if (identityOf(relation) !== 'key') return [{ expression: 'ctid', type: 'tid' }]
  return relation.key.map((name) => ({ expression: identifier(name), type: columnOf(relation, name).type }))
}

function identityConditions(relation: Relation, row: Pick<PageRow, 'identity'>, parameters: Parameters): string[] {
  return identityColumns(relation).map(
    ({ expression, type }, place) => `${expression} = ${parameters.add(row.identity[place] ?? null, type)}`,
  )
}

/** The select list of a page without its order: cells, identity and version. */
function selectList(relation: Relation, isWhole = false): string {
  const list = [
    ...relation.columns.map((column) => cellExpression(column, isWhole)),
    ...identityColumns(relation).map(({ expression }) => `${expression}::text`),
    'xmin::text',
  ]
  return list.map((expression, place) => `${expression} as c${place}`).join(', ')
}

/** Parses a row that a statement of this module returned. */
export function readRow(relation: Relation, row: readonly unknown[]): Pick<PageRow, 'cells' | 'identity' | 'version'> {
  const texts = row.map((value) => (value === null || value === undefined ? null : String(value)))
  const width = relation.columns.length
  return { cells: texts.slice(0, width), identity: texts.slice(width, -1), version: texts.at(-1) ?? null }
}

function columnOf(relation: Relation, name: string): Column {
  const column = relation.columns.find((one) => one.name === name)
  if (!column) throw new Error(`no column ${name} in ${relation.name}`)
  return column
}

function nameOf(relation: Relation): string {
  return qualified(relation.schema, relation.name)
}
