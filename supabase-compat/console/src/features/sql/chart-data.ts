/** Which columns of a result can be drawn, and their values in uPlot's format. */
import type { ResultColumn } from '@/postgres/run-query'

export interface ChartData {
  /** Whether the first column is a moment, a number or only a name for each row. */
  axis: 'time' | 'number' | 'row'
  labels: string[]
  series: { name: string; values: (number | null)[] }[]
  x: number[]
}

/** More points than a screen has pixels. */
const MAX_POINTS = 20_000

const NUMBERS = new Set([
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
  'numeric',
  'money',
  'smallint',
  'integer',
  'bigint',
  'real',
  'double precision',
])
const MOMENTS = new Set(['date', 'timestamp', 'timestamptz', 'timestamp without time zone', 'timestamp with time zone'])

/** The numeric columns. */
export function numericColumns(columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[]): number[] {
  return columns.flatMap(({ type }, column) => {
    const isNumber =
      NUMBERS.has(type) ||
      (!MOMENTS.has(type) && rows.length > 0 && rows.slice(0, 50).every((row) => typeof row[column] === 'number'))
    return isNumber ? [column] : []
  })
}

/**
 * The data of a chart: the first column as the x axis, numeric columns as lines; undefined without
 * any.
 */
export function chartDataOf(
  columns: readonly ResultColumn[],
  rows: readonly (readonly unknown[])[],
  axisColumn: number,
  chosen: readonly number[],
): ChartData | undefined {
  const points = rows.slice(0, MAX_POINTS)
  if (chosen.length === 0 || points.length === 0) return undefined
  const type = columns[axisColumn]?.type ?? ''
  const axis = MOMENTS.has(type) ? 'time' : numericColumns(columns, rows).includes(axisColumn) ? 'number' : 'row'
  const positions = points.map((row, index) => {
    const value = row[axisColumn]
    if (axis === 'time') return momentOf(value) / 1000
    return axis === 'number' ? Number(value) : index
  })
  // uPlot needs sorted x values.
  const order = positions.map((_, index) => index).filter((index) => Number.isFinite(positions[index]))
  order.sort((one, other) => positions[one]! - positions[other]!)
  return {
    axis,
    labels: order.map((index) => String(points[index]![axisColumn] ?? '')),
    x: order.map((index) => positions[index]!),
    series: chosen.map((column) => ({
      name: columns[column]?.name ?? '',
      values: order.map((index) => numberFrom(points[index]![column])),
    })),
  }
}

function momentOf(value: unknown): number {
  const text = String(value ?? '').replace(' ', 'T')
  // PostgreSQL writes `+00` where the standard wants `+00:00`.
  return Date.parse(text.replace(/(T.*[+-]\d\d)$/, '$1:00'))
}

function numberFrom(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}
