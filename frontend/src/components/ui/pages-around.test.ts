import { expect, test } from 'vitest'
import { pagesAround } from './pages-around'

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, 4, 5]],
  [5, 9, [3, 4, 5, 6, 7]],
  [9, 9, [5, 6, 7, 8, 9]],
  [12, 9, [5, 6, 7, 8, 9]],
])('page %i of %i shows the numbers %j', (current, last, numbers) => {
  expect(pagesAround(current, last)).toEqual(numbers)
})
