import { expect, it } from 'vitest'
import { nameIn } from './translated-name'

it('uses the locale name or a fallback', () => {
  const event = { name: 'La Ruée', name_fr: 'La Ruée', name_en: 'The Rush', name_es: null }
  expect(nameIn(event, 'en')).toBe('The Rush')
  expect(nameIn(event, 'es')).toBe('La Ruée')
  expect(nameIn(event, 'fr')).toBe('La Ruée')
})
