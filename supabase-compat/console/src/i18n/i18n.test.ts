import { expect, it } from 'vitest'
import { formatsOf } from './format'
import { preferredLanguage } from './index'

/** Intl separates with narrow and no-break spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

it('uses the first supported language of the browser', () => {
  expect(preferredLanguage(['de-DE', 'fr-CH', 'en'])).toBe('fr')
  expect(preferredLanguage(['de'])).toBe('en')
  localStorage.setItem('console-language', 'es')
  expect(preferredLanguage(['fr'])).toBe('es')
})

it('formats sizes and durations per language', () => {
  expect(formatsOf('en').size(0)).toBe('0 bytes')
  expect(formatsOf('en').size(1_250_000)).toBe('1.3 MB')
  expect(plain(formatsOf('fr').size(1_250_000))).toBe('1,3 Mo')
  expect(formatsOf('en').milliseconds(0.42)).toBe('0.42 ms')
  expect(formatsOf('en').milliseconds(1530)).toBe('1.5 sec')
})

it('shows a dash for an invalid date', () => {
  const formats = formatsOf('en')
  for (const value of [null, undefined, '', 'yesterday']) expect(formats.dateTime(value)).toBe('–')
  expect(formats.relative('2026-01-01T00:00:00Z', Date.parse('2026-01-01T03:00:00Z'))).toBe('3 hours ago')
})
