import { expect, test } from 'vitest'
import { placesOf } from './picture-layout'

test('tables stand left of those they refer to', () => {
  const boxes = ['plays', 'songs', 'artists'].map((name) => ({ name, height: 100 }))
  const places = placesOf(boxes, [
    { source: 'plays', target: 'songs' },
    { source: 'songs', target: 'artists' },
  ])
  expect([...places].map(([name, { x }]) => [name, x])).toEqual([
    ['plays', 0],
    ['songs', 300],
    ['artists', 600],
  ])
})

test('tables that refer to each other end', () => {
  const boxes = ['a', 'b'].map((name) => ({ name, height: 100 }))
  const places = placesOf(boxes, [
    { source: 'a', target: 'b' },
    { source: 'b', target: 'a' },
  ])
  expect(places.size).toBe(2)
})
