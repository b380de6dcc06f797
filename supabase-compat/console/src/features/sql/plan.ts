/**
 * The result of `explain (format json)` as a tree with each step's own share of the time or cost.
 */

export interface PlanStep {
  id: string
  title: string
  /** The table or index that is read. */
  target: string | null
  conditions: { name: string; text: string }[]
  estimatedRows: number
  /** Only with `analyze`; the sum over all loops. */
  actualRows: number | null
  totalCost: number
  /** Milliseconds of all loops, without the child steps; null without `analyze`. */
  ownTime: number | null
  ownCost: number
  /** The share of the whole plan from 0 to 1, by time if measured, else by cost. */
  share: number
  /** The factor by which the estimate is wrong, either way; null without `analyze`. */
  misestimate: number | null
  removedRows: number | null
  buffers: { hit: number; read: number } | null
  neverRan: boolean
  children: PlanStep[]
}

export interface Plan {
  root: PlanStep
  planningTime: number | null
  executionTime: number | null
}

type Node = Record<string, unknown>

const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
  'TID Cond',
  'Sort Key',
  'Group Key',
] as const

/** The statement that explains another. */
export function explainSql(statement: string, isAnalyzed: boolean): string {
  const options = isAnalyzed ? 'analyze, buffers, format json' : 'format json'
  return `explain (${options}) ${statement}`
}

/** A plan from the value of the only cell; undefined if it is none. */
export function planOf(value: unknown): Plan | undefined {
  let parsed: unknown = value
  if (typeof value === 'string') {
    try {
      parsed = JSON.parse(value)
    } catch {
      return undefined
    }
  }
  const top: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  if (!isNode(top) || !isNode(top.Plan)) return undefined
  const root = stepOf(top.Plan, '0')
  const total = root.ownTime === null ? sum(root, ({ ownCost }) => ownCost) : sum(root, ({ ownTime }) => ownTime ?? 0)
  setShares(root, total)
  return { root, planningTime: numberOf(top['Planning Time']), executionTime: numberOf(top['Execution Time']) }
}

/** The steps in depth-first order, with their depth. */
export function flatten(step: PlanStep, depth = 0): { step: PlanStep; depth: number }[] {
  return [{ step, depth }, ...step.children.flatMap((child) => flatten(child, depth + 1))]
}

function stepOf(node: Node, id: string): PlanStep {
  const children = (Array.isArray(node.Plans) ? node.Plans : [])
    .filter(isNode)
    .map((child, place) => stepOf(child, `${id}.${place}`))
  const loops = numberOf(node['Actual Loops'])
  const perLoop = numberOf(node['Actual Total Time'])
  const time = loops === null || perLoop === null ? null : perLoop * loops
  const childTime = children.reduce((all, child) => all + totalTime(child), 0)
  const totalCost = numberOf(node['Total Cost']) ?? 0
  const rows = numberOf(node['Actual Rows'])
  const actualRows = rows === null || loops === null ? null : rows * loops
  const estimatedRows = numberOf(node['Plan Rows']) ?? 0
  const hit = numberOf(node['Shared Hit Blocks'])
  return {
    id,
    title: titleOf(node),
    target: targetOf(node),
    conditions: CONDITIONS.flatMap((name) => {
      const text = Array.isArray(node[name]) ? node[name].join(', ') : node[name]
      return typeof text === 'string' ? [{ name, text }] : []
    }),
    estimatedRows,
    actualRows,
    totalCost,
    ownTime: time === null ? null : Math.max(0, time - childTime),
    ownCost: Math.max(0, totalCost - children.reduce((all, child) => all + child.totalCost, 0)),
    share: 0,
    misestimate: rows === null || !loops ? null : ratio(rows, estimatedRows),
    removedRows: removedOf(node, loops),
    buffers: hit === null ? null : { hit, read: numberOf(node['Shared Read Blocks']) ?? 0 },
    neverRan: loops === 0,
    children,
  }
}

function titleOf(node: Node): string {
  const type = String(node['Node Type'] ?? '')
  const join = typeof node['Join Type'] === 'string' && node['Join Type'] !== 'Inner' ? `${node['Join Type']} ` : ''
  const strategy = typeof node.Strategy === 'string' && node.Strategy !== 'Plain' ? `${node.Strategy} ` : ''
  const operation = type === 'ModifyTable' && typeof node.Operation === 'string' ? node.Operation : type
  return `${node['Parallel Aware'] === true ? 'Parallel ' : ''}${join}${strategy}${operation}`
}

function targetOf(node: Node): string | null {
  const relation = node['Relation Name'] ?? node['CTE Name'] ?? node['Function Name']
  const index = node['Index Name']
  const parts = [index, relation].filter((part) => typeof part === 'string')
  return parts.length === 0 ? null : parts.join(' · ')
}

function removedOf(node: Node, loops: number | null): number | null {
  const removed = numberOf(node['Rows Removed by Filter']) ?? numberOf(node['Rows Removed by Join Filter'])
  return removed === null ? null : removed * (loops ?? 1)
}

function totalTime(step: PlanStep): number {
  return (step.ownTime ?? 0) + step.children.reduce((all, child) => all + totalTime(child), 0)
}

function ratio(actual: number, estimated: number): number {
  const [small, large] = [Math.max(1, Math.min(actual, estimated)), Math.max(1, actual, estimated)]
  return large / small
}

function sum(step: PlanStep, value: (step: PlanStep) => number): number {
  return value(step) + step.children.reduce((all, child) => all + sum(child, value), 0)
}

function setShares(step: PlanStep, total: number): void {
  step.share = total === 0 ? 0 : (step.ownTime ?? step.ownCost) / total
  for (const child of step.children) setShares(child, total)
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
