import { expect, test } from 'vitest'
import { positionsOf } from './picture-layout'

test('tables are left of the tables they reference', () => {
  const boxes = ['plays', 'songs', 'artists'].map((name) => ({ name, height: 100 }))
  const positions = positionsOf(boxes, [
    { source: 'plays', target: 'songs' },
    { source: 'songs', target: 'artists' },
  ])
  expect([...positions].map(([name, { x }]) => [name, x])).toEqual([
    ['plays', 0],
    ['songs', 300],
    ['artists', 600],
  ])
})

test('a cycle of references ends the layout', () => {
  const boxes = ['a', 'b'].map((name) => ({ name, height: 100 }))
  const positions = positionsOf(boxes, [
    { source: 'a', target: 'b' },
    { source: 'b', target: 'a' },
  ])
  expect(positions.size).toBe(2)
})
