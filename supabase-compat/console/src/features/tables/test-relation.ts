/** Relations for tests. */
import type { Column, Relation } from '@/postgres/catalog'

export function column(name: string, type: string, more: Partial<Column> = {}): Column {
  const base =
    { bigint: 'int8', integer: 'int4', boolean: 'bool', 'timestamp with time zone': 'timestamptz' }[type] ?? type
  return {
    name,
    type,
    base,
    category: { text: 'S', int8: 'N', int4: 'N', bool: 'B' }[base] ?? 'U',
    nullable: false,
    default: null,
    identity: '',
    generated: false,
    labels: null,
    sortable: true,
    comment: null,
    ...more,
  }
}

export function relation(columns: Column[], more: Partial<Relation> = {}): Relation {
  return {
    schema: 'public',
    name: 'songs',
    kind: 'table',
    estimated_rows: 10,
    bytes: 8192,
    comment: null,
    row_security: true,
    row_security_forced: false,
    columns,
    key: ['id'],
    constraints: [],
    references: [],
    indexes: [],
    triggers: [],
    policies: [],
    readable_by: [],
    ...more,
  }
}
