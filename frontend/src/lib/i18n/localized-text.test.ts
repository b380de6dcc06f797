import { expect, it } from 'vitest'
import { ownWords } from './localized-text'

it('speaks the reader’s language when the owner did, else the first there is', () => {
  const row = { title_fr: 'Tournoi', title_en: 'Tournament', title_es: null }
  expect(ownWords(row, 'title', 'en')).toBe('Tournament')
  expect(ownWords(row, 'title', 'es')).toBe('Tournoi')
  expect(ownWords({ title_fr: null, title_en: null, title_es: null }, 'title', 'fr')).toBe('')
})
