import { describe, expect, it } from 'vitest'
import { ApiError, isNotFound, isOffline, toApiError, unwrap, unwrapCounted, unwrapOptional } from './errors'

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('unwrap', () => {
  it('gives the data of a success', () => {
    expect(unwrap({ data: { id: 1 }, error: null })).toEqual({ id: 1 })
    expect(unwrapOptional({ data: null, error: null })).toBeNull()
    expect(unwrapCounted({ data: [1, 2], error: null, count: 9 })).toEqual({ rows: [1, 2], count: 9 })
  })

  it('throws ApiError with code, message and status', () => {
    const error = thrownBy(() =>
      unwrap({ data: null, error: { code: '42501', message: 'permission denied' }, status: 401 }),
    )
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: '42501', message: 'permission denied', status: 401 })
  })

  it('does not take an empty answer for data', () => {
    expect(isNotFound(thrownBy(() => unwrap({ data: null, error: null, status: 200 })))).toBe(true)
  })
})

describe('toApiError', () => {
  it('tells that no answer came', () => {
    expect(isOffline(toApiError({ message: 'TypeError: Failed to fetch', code: '' }, 0))).toBe(true)
    expect(isOffline(toApiError({ name: 'AuthRetryableFetchError', message: '{}', status: 0 }))).toBe(true)
    expect(isOffline(toApiError({ message: 'boom', code: 'XX000' }, 500))).toBe(false)
  })

  it('keeps ApiError and wraps unknown causes', () => {
    const known = new ApiError('x', 'y', 400)
    expect(toApiError(known)).toBe(known)
    expect(toApiError('strange')).toMatchObject({ code: 'unknown', message: 'strange', status: 0 })
  })
})
