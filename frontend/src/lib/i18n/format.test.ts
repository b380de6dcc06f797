import { describe, expect, it, vi } from 'vitest'
import {
  formatRating,
  formatClock,
  formatCompact,
  formatDate,
  formatDay,
  formatDuration,
  formatMoney,
  formatNumber,
  formatUnit,
  formatWeekday,
} from './format'
import { formatShortDate } from './format-short-date'
import { formatRelative } from './format-relative'

/** Intl separates with narrow and no-break spaces. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

describe('numbers', () => {
  it('are grouped by the rules of the language', () => {
    expect(plain(formatNumber(12_345, 'fr'))).toBe('12 345')
    expect(formatNumber(12_345, 'en')).toBe('12,345')
    expect(formatNumber(1_234, 'es')).toBe('1.234')
  })

  it('have a short form', () => {
    expect(plain(formatCompact(12_300, 'fr'))).toBe('12,3 k')
    expect(formatCompact(12_300, 'en')).toBe('12.3K')
  })
})

describe('dates', () => {
  it('are written out', () => {
    expect(formatDate('2026-11-21T10:00:00Z', 'fr')).toBe('21 novembre 2026')
    expect(formatDate('2026-11-21T10:00:00Z', 'en')).toBe('November 21, 2026')
    expect(formatDate('2026-11-21T10:00:00Z', 'es')).toBe('21 de noviembre de 2026')
    expect(formatShortDate('2026-11-21T10:00:00Z', 'fr')).toBe('21\u00a0nov.\u00a02026')
    expect(formatShortDate('2026-11-21', 'es')).toBe('21\u00a0nov\u00a02026')
  })

  it('use an ordinal first day in French', () => {
    expect(formatDate('2026-12-01', 'fr')).toBe('1er décembre 2026')
    expect(formatDay('2026-12-01', 'fr')).toBe('1er déc.')
    expect(formatShortDate('2026-12-01', 'fr')).toBe('1er\u00a0déc.\u00a02026')
    expect(formatDay('2026-12-11', 'fr')).toBe('11 déc.')
    expect(formatDay('2026-12-01', 'es')).toBe('1 dic')
  })

  it('of calendar days ignore the time zone', () => {
    expect(formatDay('2026-11-21', 'en')).toBe('Nov 21')
    expect(formatWeekday('2026-11-21', 'fr')).toBe('samedi')
  })

  it('that are none give an empty text', () => {
    expect(formatDate('yesterday', 'fr')).toBe('')
    expect(formatShortDate('yesterday', 'fr')).toBe('')
    expect(formatRelative('yesterday', 'fr')).toBe('')
  })

  it('are formatted relative to now', () => {
    const now = '2026-11-21T12:00:00Z'
    expect(formatRelative('2026-11-18T12:00:00Z', 'fr', now)).toBe('il y a 3 jours')
    expect(formatRelative('2026-11-20T12:00:00Z', 'en', now)).toBe('yesterday')
    expect(formatRelative('2026-11-21T14:00:00Z', 'es', now)).toBe('dentro de 2 horas')
  })
})

describe('spans', () => {
  it('run as a clock', () => {
    expect(formatClock(7_147)).toBe('1:59:07')
    expect(formatClock(270)).toBe('04:30')
    expect(formatClock(-3)).toBe('00:00')
    expect(formatClock(90_000)).toBe('25:00:00')
  })

  it('are said with their two largest units', () => {
    expect(plain(formatDuration(7_147, 'fr'))).toBe('1 heure 59 minutes')
    expect(formatDuration(7_200, 'en')).toBe('2 hours')
    expect(formatDuration(0, 'es')).toBe('0 segundos')
  })
})

it('keeps calendar days in western time zones', async () => {
  const Format = Intl.DateTimeFormat
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function west(language, options) {
    return new Format(language, { timeZone: 'America/Los_Angeles', ...options })
  } as typeof Format)
  vi.resetModules()
  const west = await import('./format')
  expect(west.formatDate('2026-11-21', 'fr')).toBe('21 novembre 2026')
  expect(west.formatDay('2026-11-21', 'en')).toBe('Nov 21')
  expect(west.formatDate('2026-11-21T05:00:00Z', 'en')).toBe('November 20, 2026')
  vi.restoreAllMocks()
})

it('formats money, ratings and units by language', () => {
  expect(plain(formatMoney(500, 'eur', 'fr'))).toBe('5 €')
  expect(plain(formatMoney(1250, 'EUR', 'en'))).toBe('€12.50')
  expect(formatRating(4, 'fr')).toBe('4,0')
  expect(formatRating(3.66, 'en')).toBe('3.7')
  expect(plain(formatUnit(3, 'day', 'es'))).toBe('3 días')
})
