import { expect, test } from 'vitest'
import { ApiError } from '@/api/client'
import { databaseRefusalOf, readAnswer, refusalText } from './run-query'

test('an answer of small numbers is read as it is', () => {
  expect(readAnswer('{"rows":[[1,1.5,"a",null,true]]}').rows).toEqual([[1, 1.5, 'a', null, true]])
})

test('a refusal of the database keeps its place', () => {
  const details = { message: 'no', sqlstate: '42703', position: 8, detail: 'why', hint: '' }
  const error = new ApiError(400, 'database_error', 'no', details)
  expect(databaseRefusalOf(error)).toEqual({ message: 'no', sqlstate: '42703', position: 8, detail: 'why', hint: null })
  expect(refusalText(error)).toBe('no. why')
  expect(databaseRefusalOf(new ApiError(500, 'x', 'y'))).toBeUndefined()
})
