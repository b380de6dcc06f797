import { expect, it } from 'vitest'
import { isReason, reportProblem } from './report'

it('asks for a reason', () => {
  expect(reportProblem(null, 'x')).toBe('reason')
  expect(reportProblem('spam', '')).toBeNull()
})

it('asks to explain another reason, in 500 characters', () => {
  expect(reportProblem('other', '   ')).toBe('custom')
  expect(reportProblem('other', 'x'.repeat(501))).toBe('long')
  expect(reportProblem('other', 'x'.repeat(500))).toBeNull()
})

it('knows its reasons', () => {
  expect(isReason('copyright')).toBe(true)
  expect(isReason('boredom')).toBe(false)
})
