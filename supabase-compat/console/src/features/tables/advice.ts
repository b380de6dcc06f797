/** Advice on a table, from its definition only. */
import type { Relation } from '@/postgres/catalog'

export type Advice =
  | { name: 'no_row_security'; roles: string[] }
  | { name: 'no_policies' }
  | { name: 'policies_off'; count: number }
  | { name: 'open_policy'; policy: string }
  | { name: 'function_per_row'; policy: string }
  | { name: 'no_key' }
  | { name: 'foreign_key_without_index'; columns: string[] }
  | { name: 'invalid_index'; index: string }

/** Functions in row security whose result is the same for every row of a statement. */
const PER_STATEMENT = /\b(auth\.(uid|jwt|role|email)|current_setting)\s*\(/i

export function adviceOf(relation: Relation): Advice[] {
  if (relation.kind !== 'table' && relation.kind !== 'partitioned') return []
  const { policies } = relation
  const advice: Advice[] = []
  if (!relation.row_security && relation.readable_by.length > 0)
    advice.push({ name: 'no_row_security', roles: relation.readable_by })
  if (!relation.row_security && policies.length > 0) advice.push({ name: 'policies_off', count: policies.length })
  if (relation.row_security && policies.length === 0) advice.push({ name: 'no_policies' })
  for (const policy of policies) {
    const conditions = [policy.using, policy.check].filter((text) => text !== null)
    const isOpen = policy.permissive && policy.command !== 'r' && conditions.some((text) => text === 'true')
    if (isOpen) advice.push({ name: 'open_policy', policy: policy.name })
    if (conditions.some(callsPerRow)) advice.push({ name: 'function_per_row', policy: policy.name })
  }
  if (relation.key.length === 0) advice.push({ name: 'no_key' })
  for (const { type, columns } of relation.constraints)
    if (type === 'f' && !hasIndexOn(relation, columns)) advice.push({ name: 'foreign_key_without_index', columns })
  for (const index of relation.indexes) if (!index.valid) advice.push({ name: 'invalid_index', index: index.name })
  return advice
}

/**
 * Whether a function is evaluated for each row: within `( SELECT … )` PostgreSQL evaluates it once
 * a statement. The expression is as PostgreSQL prints it.
 */
function callsPerRow(expression: string): boolean {
  return PER_STATEMENT.test(expression.replaceAll(/\(\s*select\s+[\w.]+\([^()]*\)[^()]*\)/gi, ''))
}

function hasIndexOn(relation: Relation, columns: readonly string[]): boolean {
  return relation.indexes.some(({ definition }) => {
    const list = /\((.*)\)/.exec(definition.replace(/ where .*$/i, ''))?.[1] ?? ''
    const names = list.split(',').map((name) => name.trim().replaceAll(/^"|"$/g, ''))
    return columns.every((column) => names.slice(0, columns.length).includes(column))
  })
}
