import { expect, it } from 'vitest'
import { refusalOf, serviceUrl } from './client'

it('reads the refusal of each service', () => {
  const read = (status: number, body: unknown) => {
    const { code, message } = refusalOf(status, JSON.stringify(body))
    return [code, message]
  }
  expect(read(409, { error: { code: 'last_owner', message: 'The last.' } })).toEqual(['last_owner', 'The last.'])
  expect(read(422, { code: 422, error_code: 'weak_password', msg: 'Longer.' })).toEqual(['weak_password', 'Longer.'])
  expect(read(400, { statusCode: '409', error: 'Duplicate', message: 'It exists.' })).toEqual([
    'Duplicate',
    'It exists.',
  ])
  expect(read(404, { code: 'PGRST205', message: 'No table.', details: null, hint: null })).toEqual([
    'PGRST205',
    'No table.',
  ])
  expect(read(400, { error: 'relation "x" does not exist' })).toEqual([
    'relation "x" does not exist',
    'relation "x" does not exist',
  ])
  expect(refusalOf(502, '<html>').code).toBe('unexpected_answer')
})

it('leaves out parameters without a value', () => {
  expect(serviceUrl('/auth/v1/admin/users', { page: 1, filter: undefined, q: 'a b' })).toBe(
    '/console/api/services/auth/v1/admin/users?page=1&q=a+b',
  )
})
