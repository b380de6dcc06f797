import { expect, it } from 'vitest'
import { localizedText } from './localized-text'

it('falls back to the first available language', () => {
  const row = { title_fr: 'Tournoi', title_en: 'Tournament', title_es: null }
  expect(localizedText(row, 'title', 'en')).toBe('Tournament')
  expect(localizedText(row, 'title', 'es')).toBe('Tournoi')
  expect(localizedText({ title_fr: null, title_en: null, title_es: null }, 'title', 'fr')).toBe('')
})
