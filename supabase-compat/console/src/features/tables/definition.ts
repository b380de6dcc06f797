/**
 * Statements that create and change tables, columns, indexes, policies and row security, shown
 * before they run.
 */
import type { Column, Policy, Relation } from '@/postgres/catalog'
import { identifier, literal, qualified } from '@/postgres/quote'

export interface ColumnDraft {
  name: string
  type: string
  isNullable: boolean
  isUnique: boolean
  isPrimaryKey: boolean
  isIdentity: boolean
  /** An expression, as written. */
  defaultValue: string
  check: string
  /** The parts of `schema.table.column`; null for none. */
  reference: { schema: string; table: string; column: string; onDelete: string } | null
  comment: string
}

export interface TableDraft {
  schema: string
  name: string
  comment: string
  hasRowSecurity: boolean
  columns: ColumnDraft[]
}

export interface IndexDraft {
  name: string
  method: string
  columns: string[]
  isUnique: boolean
  /** Condition of a partial index, as written. */
  predicate: string
}

export type PolicyCommand = 'all' | 'select' | 'insert' | 'update' | 'delete'

export interface PolicyDraft {
  name: string
  command: PolicyCommand
  isPermissive: boolean
  roles: string[]
  using: string
  check: string
}

/** Types that a form suggests; others can be typed. */
export const COLUMN_TYPES = [
  'bigint',
  'integer',
  'smallint',
  'numeric',
  'double precision',
  'text',
  'character varying(255)',
  'boolean',
  'uuid',
  'date',
  'timestamp with time zone',
  'timestamp without time zone',
  'time without time zone',
  'interval',
  'jsonb',
  'json',
  'bytea',
  'inet',
  'text[]',
  'integer[]',
  'bigint[]',
  'uuid[]',
] as const

export const INDEX_METHODS = ['btree', 'hash', 'gin', 'gist', 'brin'] as const

export function emptyColumn(name = '', more: Partial<ColumnDraft> = {}): ColumnDraft {
  return {
    name,
    type: 'text',
    isNullable: true,
    isUnique: false,
    isPrimaryKey: false,
    isIdentity: false,
    defaultValue: '',
    check: '',
    reference: null,
    comment: '',
    ...more,
  }
}

export function createTableSql(draft: TableDraft): string {
  const table = qualified(draft.schema, draft.name)
  const keys = draft.columns.filter(({ isPrimaryKey }) => isPrimaryKey)
  const lines = draft.columns.map((column) => `  ${columnSql(column, keys.length === 1)}`)
  if (keys.length > 1) lines.push(`  primary key (${keys.map(({ name }) => identifier(name)).join(', ')})`)
  const statements = [`create table ${table} (\n${lines.join(',\n')}\n);`]
  if (draft.comment) statements.push(`comment on table ${table} is ${literal(draft.comment).trim()};`)
  statements.push(...draft.columns.flatMap((column) => commentSql(table, column)))
  if (draft.hasRowSecurity) statements.push(`alter table ${table} enable row level security;`)
  return statements.join('\n')
}

export function addColumnSql(relation: Relation, draft: ColumnDraft): string {
  const table = tableOf(relation)
  return [`alter table ${table} add column ${columnSql(draft, true)};`, ...commentSql(table, draft)].join('\n')
}

/** The statements that change a column to match the draft; empty if nothing differs. */
export function alterColumnSql(relation: Relation, column: Column, draft: ColumnDraft): string {
  const table = tableOf(relation)
  const name = identifier(column.name)
  const statements: string[] = []
  if (draft.type.trim() !== column.type)
    statements.push(
      `alter table ${table} alter column ${name} type ${draft.type.trim()} using ${name}::${draft.type.trim()};`,
    )
  if (draft.isNullable !== column.nullable)
    statements.push(`alter table ${table} alter column ${name} ${draft.isNullable ? 'drop' : 'set'} not null;`)
  const expression = draft.defaultValue.trim()
  if (!column.generated && column.identity === '' && expression !== (column.default ?? ''))
    statements.push(
      `alter table ${table} alter column ${name} ${expression ? `set default ${expression}` : 'drop default'};`,
    )
  if (draft.comment !== (column.comment ?? ''))
    statements.push(`comment on column ${table}.${name} is ${draft.comment ? literal(draft.comment).trim() : 'null'};`)
  // The rename comes last, since the statements before it use the old name.
  if (draft.name !== column.name)
    statements.push(`alter table ${table} rename column ${name} to ${identifier(draft.name)};`)
  return statements.join('\n')
}

export function dropColumnSql(relation: Relation, column: string): string {
  return `alter table ${tableOf(relation)} drop column ${identifier(column)};`
}

export function renameTableSql(relation: Relation, name: string, comment: string): string {
  const table = tableOf(relation)
  const statements: string[] = []
  if (comment !== (relation.comment ?? ''))
    statements.push(`comment on table ${table} is ${comment ? literal(comment).trim() : 'null'};`)
  if (name !== relation.name) statements.push(`alter table ${table} rename to ${identifier(name)};`)
  return statements.join('\n')
}

export function dropTableSql(relation: Relation): string {
  const word = {
    table: 'table',
    partitioned: 'table',
    view: 'view',
    materialized: 'materialized view',
    foreign: 'foreign table',
  }
  return `drop ${word[relation.kind]} ${tableOf(relation)};`
}

export function createIndexSql(relation: Relation, draft: IndexDraft): string {
  const columns = draft.columns.map(identifier).join(', ')
  const predicate = draft.predicate.trim() ? ` where ${draft.predicate.trim()}` : ''
  const name = draft.name.trim() ? ` ${identifier(draft.name.trim())}` : ''
  const unique = draft.isUnique ? 'unique ' : ''
  return `create ${unique}index${name} on ${tableOf(relation)} using ${draft.method} (${columns})${predicate};`
}

export function dropIndexSql(relation: Relation, index: string): string {
  return `drop index ${qualified(relation.schema, index)};`
}

export function dropConstraintSql(relation: Relation, constraint: string): string {
  return `alter table ${tableOf(relation)} drop constraint ${identifier(constraint)};`
}

export function dropTriggerSql(relation: Relation, trigger: string): string {
  return `drop trigger ${identifier(trigger)} on ${tableOf(relation)};`
}

export function switchTriggerSql(relation: Relation, trigger: string, isOn: boolean): string {
  return `alter table ${tableOf(relation)} ${isOn ? 'enable' : 'disable'} trigger ${identifier(trigger)};`
}

export function rowSecuritySql(relation: Relation, isOn: boolean): string {
  return `alter table ${tableOf(relation)} ${isOn ? 'enable' : 'disable'} row level security;`
}

export function createPolicySql(relation: Relation, draft: PolicyDraft): string {
  const roles =
    draft.roles.length === 0
      ? 'public'
      : draft.roles.map((role) => (role === 'public' ? role : identifier(role))).join(', ')
  const lines = [
    `create policy ${identifier(draft.name)} on ${tableOf(relation)}`,
    ...(draft.isPermissive ? [] : ['  as restrictive']),
    `  for ${draft.command}`,
    `  to ${roles}`,
    ...(takesUsing(draft.command) && draft.using.trim() ? [`  using (${draft.using.trim()})`] : []),
    ...(takesCheck(draft.command) && draft.check.trim() ? [`  with check (${draft.check.trim()})`] : []),
  ]
  return `${lines.join('\n')};`
}

/** The command of a policy cannot be changed, so the policy is replaced within one transaction. */
export function replacePolicySql(relation: Relation, policy: Policy, draft: PolicyDraft): string {
  return `${dropPolicySql(relation, policy.name)}\n${createPolicySql(relation, draft)}`
}

export function dropPolicySql(relation: Relation, policy: string): string {
  return `drop policy ${identifier(policy)} on ${tableOf(relation)};`
}

/** Whether a policy for this command has a condition on existing rows. */
export function takesUsing(command: PolicyCommand): boolean {
  return command !== 'insert'
}

/** Whether a policy for this command has a condition on written rows. */
export function takesCheck(command: PolicyCommand): boolean {
  return command === 'all' || command === 'insert' || command === 'update'
}

export function policyDraftOf(policy: Policy): PolicyDraft {
  const commands: Record<string, PolicyCommand> = { r: 'select', a: 'insert', w: 'update', d: 'delete' }
  return {
    name: policy.name,
    command: commands[policy.command] ?? 'all',
    isPermissive: policy.permissive,
    roles: policy.roles,
    using: policy.using ?? '',
    check: policy.check ?? '',
  }
}

export function columnDraftOf(column: Column): ColumnDraft {
  return emptyColumn(column.name, {
    type: column.type,
    isNullable: column.nullable,
    isIdentity: column.identity !== '',
    defaultValue: column.default ?? '',
    comment: column.comment ?? '',
  })
}

function columnSql(column: ColumnDraft, isOnlyKey: boolean): string {
  const { reference } = column
  return [
    identifier(column.name),
    column.type.trim(),
    ...(column.isIdentity ? ['generated by default as identity'] : []),
    ...(column.isPrimaryKey && isOnlyKey ? ['primary key'] : []),
    ...(column.isNullable || column.isPrimaryKey ? [] : ['not null']),
    ...(column.defaultValue.trim() && !column.isIdentity ? [`default ${column.defaultValue.trim()}`] : []),
    ...(column.isUnique && !column.isPrimaryKey ? ['unique'] : []),
    ...(column.check.trim() ? [`check (${column.check.trim()})`] : []),
    ...(reference
      ? [
          `references ${qualified(reference.schema, reference.table)} (${identifier(reference.column)})` +
            (reference.onDelete === 'no action' ? '' : ` on delete ${reference.onDelete}`),
        ]
      : []),
  ].join(' ')
}

function commentSql(table: string, column: ColumnDraft): string[] {
  if (!column.comment) return []
  return [`comment on column ${table}.${identifier(column.name)} is ${literal(column.comment).trim()};`]
}

function tableOf(relation: Relation): string {
  return qualified(relation.schema, relation.name)
}
