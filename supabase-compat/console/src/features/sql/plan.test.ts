import { describe, expect, test } from 'vitest'
import { explainSql, flatten, planOf } from './plan'

const scan = (more: object) => ({
  'Node Type': 'Seq Scan',
  'Relation Name': 'songs',
  'Plan Rows': 10,
  'Total Cost': 30,
  ...more,
})

describe('plans', () => {
  test('each plan step has its cost share', () => {
    const plan = planOf([
      {
        Plan: {
          'Node Type': 'Sort',
          'Plan Rows': 10,
          'Total Cost': 40,
          'Sort Key': ['a', 'b'],
          Plans: [scan({ Filter: '(a > 1)' })],
        },
      },
    ])!
    expect(flatten(plan.root).map(({ step, depth }) => [step.title, step.target, step.share, depth])).toEqual([
      ['Sort', null, 0.25, 0],
      ['Seq Scan', 'songs', 0.75, 1],
    ])
    expect(plan.root.conditions).toEqual([{ name: 'Sort Key', text: 'a, b' }])
    expect(plan.executionTime).toBeNull()
  })

  test('measured steps have their time and misestimate factor', () => {
    const measured = { 'Actual Loops': 3, 'Actual Total Time': 2, 'Actual Rows': 100, 'Rows Removed by Filter': 5 }
    const top = {
      'Node Type': 'Nested Loop',
      'Join Type': 'Left',
      'Plan Rows': 1,
      'Total Cost': 90,
      'Actual Loops': 1,
      'Actual Total Time': 8,
      'Actual Rows': 300,
      Plans: [scan(measured)],
    }
    const plan = planOf(JSON.stringify([{ Plan: top, 'Execution Time': 8.5 }]))!
    const [loop, inner] = flatten(plan.root).map(({ step }) => step)
    expect([loop!.title, loop!.ownTime, loop!.share, loop!.misestimate]).toEqual(['Left Nested Loop', 2, 0.25, 300])
    expect([inner!.ownTime, inner!.actualRows, inner!.removedRows, inner!.misestimate]).toEqual([6, 300, 15, 10])
  })

  test('values that are no plan are refused', () => {
    for (const value of ['x', null, [], [{}], 1]) expect(planOf(value)).toBeUndefined()
    expect(explainSql('select 1', true)).toBe('explain (analyze, buffers, format json) select 1')
  })
})
