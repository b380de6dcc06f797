import { expect, it } from 'vitest'
import { filterOf, findingsOf, isShown, stateOf, type Finding, type Verdict } from './audit'

const finding = (severity: Finding['severity']): Finding => ({ rule: 'titleThere', severity, found: '', wanted: '1' })
const of = (...severities: Finding['severity'][]): Verdict => ({ findings: severities.map(finding), passed: [] })

it('reads a valid filter from the query', () => {
  expect(filterOf(new URLSearchParams('show=warning'))).toBe('warning')
  expect(filterOf(new URLSearchParams('show=constructor'))).toBe('all')
})

it('returns the worst severity as state', () => {
  expect([of(), of('warning'), of('warning', 'error')].map(stateOf)).toEqual(['fine', 'warning', 'error'])
})

it('filters pages by severity of their findings', () => {
  expect(isShown([of('error'), of()], 'error')).toBe(true)
  expect(isShown([of('error'), of()], 'warning')).toBe(false)
  expect(isShown([of('error'), of()], 'fine')).toBe(false)
  expect(isShown([of(), of()], 'fine')).toBe(true)
  expect(isShown([], 'fine')).toBe(false)
  expect(isShown([], 'all')).toBe(true)
})

it('sorts findings by severity or filters them', () => {
  const both = of('warning', 'error')
  expect(findingsOf(both, 'all').map(({ severity }) => severity)).toEqual(['error', 'warning'])
  expect(findingsOf(both, 'warning').map(({ severity }) => severity)).toEqual(['warning'])
})
