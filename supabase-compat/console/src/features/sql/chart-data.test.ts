import { describe, expect, test } from 'vitest'
import { chartDataOf, numericColumns } from './chart-data'

const columns = [
  { name: 'day', type: 'timestamptz' },
  { name: 'count', type: 'int8' },
  { name: 'name', type: 'text' },
]

describe('charts', () => {
  test('timestamps are sorted along the x axis', () => {
    const rows = [
      ['2026-01-02 00:00:00+00', '5', 'b'],
      ['2026-01-01 00:00:00+00', null, 'a'],
    ]
    expect(numericColumns(columns, rows)).toEqual([1])
    const data = chartDataOf(columns, rows, 0, [1])!
    expect(data.axis).toBe('time')
    expect(data.x).toEqual([Date.UTC(2026, 0, 1) / 1000, Date.UTC(2026, 0, 2) / 1000])
    expect(data.series).toEqual([{ name: 'count', values: [null, 5] }])
  })

  test('dates are treated as timestamps', () => {
    const days = [{ name: 'day', type: 'date' }, columns[1]!]
    expect(chartDataOf(days, [['2026-01-01', 5]], 0, [1])!.x).toEqual([Date.UTC(2026, 0, 1) / 1000])
  })

  test('names keep the order of the rows', () => {
    const data = chartDataOf(
      columns,
      [
        ['', 2, 'b'],
        ['', 1, 'a'],
      ],
      2,
      [1],
    )!
    expect([data.axis, data.x, data.labels]).toEqual(['row', [0, 1], ['b', 'a']])
    expect(chartDataOf(columns, [], 0, [1])).toBeUndefined()
  })
})
