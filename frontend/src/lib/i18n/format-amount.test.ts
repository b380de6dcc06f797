import { expect, it } from 'vitest'
import { formatAmount, formatTaxRate } from './format-amount'
import { formatMonth } from './format-month'
import { formatRelative } from './format-relative'

/** Intl separates with narrow and no-break spaces. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

it.each([
  [123450, 'eur', 'fr', '1 234,50 €'],
  [123450, 'EUR', 'en', '€1,234.50'],
  [123450, 'eur', 'es', '1234,50 €'],
  [5, 'usd', 'en', '$0.05'],
  [0, 'eur', 'fr', '0,00 €'],
  [-1200, 'eur', 'fr', '-12,00 €'],
  [500, 'jpy', 'en', '¥5'],
] as const)('writes %i cents of %s in %s', (cents, currency, language, words) => {
  expect(plain(formatAmount(cents, currency, language))).toBe(words)
})

it.each([
  [2000, 'fr', '20 %'],
  [550, 'fr', '5,5 %'],
  [825, 'en', '8.25%'],
  [0, 'es', '0 %'],
] as const)('formats a tax rate of %i in %s', (points, language, words) => {
  expect(plain(formatTaxRate(points, language))).toBe(words)
})

it.each([
  ['2026-11-01', 'fr', 'novembre 2026'],
  ['2026-11-30', 'en', 'November 2026'],
  ['2026-01-31', 'es', 'enero de 2026'],
] as const)('formats the month of %s in %s', (day, language, words) => {
  expect(formatMonth(day, language)).toBe(words)
})

const NOW = '2026-11-21T12:00:00Z'
it.each([
  ['2026-11-21T12:00:00.400Z', 'maintenant'],
  ['2026-11-21T11:59:01Z', 'il y a 59 secondes'],
  ['2026-11-21T11:00:01Z', 'il y a 59 minutes'],
  ['2026-11-21T11:00:00Z', 'il y a 1 heure'],
  ['2026-11-19T12:00:00Z', 'avant-hier'],
  ['2026-11-14T12:00:00Z', 'la semaine dernière'],
  ['2026-10-01T12:00:00Z', 'le mois dernier'],
  ['2024-11-20T12:00:00Z', 'il y a 2 ans'],
  ['2026-11-22T12:00:00Z', 'demain'],
  ['2026-11-21T12:02:59Z', 'dans 2 minutes'],
])('tells how far %s is from noon', (moment, words) => {
  expect(plain(formatRelative(moment, 'fr', NOW))).toBe(words)
})

it('says nothing of what is no moment', () => {
  expect(formatRelative('', 'fr', NOW)).toBe('')
  expect(formatRelative(NOW, 'fr', 'then')).toBe('')
})
