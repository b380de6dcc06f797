import { afterEach, expect, it, vi } from 'vitest'
import { noteVisit, previousAddress } from './scroll-history'

afterEach(() => {
  vi.restoreAllMocks()
  window.history.replaceState(null, '')
})

function openDocument({ referrer, length = 2, idx = 0 }: { referrer: string; length?: number; idx?: number }): void {
  window.history.replaceState({ idx }, '')
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer)
  vi.spyOn(window.history, 'length', 'get').mockReturnValue(length)
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'navigate' } as PerformanceNavigationTiming])
}

it('returns the referrer of this site', () => {
  openDocument({ referrer: `${window.location.origin}/game/minecraft?sort=votes` })
  expect(previousAddress()).toBe('/game/minecraft?sort=votes')
})

it('ignores foreign referrers and other history entries', () => {
  const referrer = `${window.location.origin}/game/minecraft`
  for (const visit of [
    { referrer: 'https://search.test/' },
    { referrer: '' },
    { referrer, length: 1 },
    { referrer, idx: 7 },
  ]) {
    openDocument(visit)
    expect(previousAddress()).toBeNull()
  }
})

it('returns a visit noted after navigation', () => {
  openDocument({ referrer: '', idx: 41 })
  expect(previousAddress()).toBeNull()
  noteVisit('/game/minecraft?sort=votes', { idx: 40 })
  expect(previousAddress()).toBe('/game/minecraft?sort=votes')
})
