import { expect, test } from 'vitest'
import { ApiError } from '@/api/client'
import { databaseRefusalOf, readResponse, refusalText } from './run-query'

test('a response with small numbers is parsed unchanged', () => {
  expect(readResponse('{"rows":[[1,1.5,"a",null,true]]}').rows).toEqual([[1, 1.5, 'a', null, true]])
})

test('a database error keeps its position', () => {
  const details = { message: 'no', sqlstate: '42703', position: 8, detail: 'why', hint: '' }
  const error = new ApiError(400, 'database_error', 'no', details)
  expect(databaseRefusalOf(error)).toEqual({ message: 'no', sqlstate: '42703', position: 8, detail: 'why', hint: null })
  expect(refusalText(error)).toBe('no. why')
  expect(databaseRefusalOf(new ApiError(500, 'x', 'y'))).toBeUndefined()
})
