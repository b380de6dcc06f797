import { expect, test } from 'vitest'
import { refusedWordsIn, refusedWords } from '../../../scripts/glossary.mjs'

const refused = refusedWords(`${import.meta.dirname}/../../../../docs/glossary.md`)
const wrong = (language: 'fr' | 'en' | 'es', text: string) =>
  refusedWordsIn(text, refused[language] ?? []).map(({ word, instead }) => [word, instead])

test('the registry refuses words in every language', () => {
  expect(Object.values(refused).every((words) => words.length > 0)).toBe(true)
})

test('refused words match whole words in any case', () => {
  expect(wrong('fr', 'Votre Rang change')).toEqual([['rang', 'place']])
  expect(wrong('fr', 'Une frange du rangement')).toEqual([])
  expect(wrong('en', 'Log  in to vote')).toEqual([['log in', 'sign in']])
  expect(wrong('es', 'Servidores destacados')).toEqual([['destacad*', 'patrocinado']])
})

test('phrases match both apostrophes and wildcards', () => {
  expect(wrong('fr', 'Vos avis n’ont pas pu être lus.')).toEqual([
    ["n'ont pas pu être", 'Impossible de charger vos avis.'],
  ])
  expect(wrong('en', 'A recognised colour').map(([word]) => word)).toEqual(['colour*', 'recognis*'])
})

test('hyphenated words do not match their parts', () => {
  expect(wrong('fr', 'Votre e-mail')).toEqual([])
  expect(wrong('fr', 'Votre mail')).toEqual([['mail', 'e-mail']])
})

test('table headings are not refused words', () => {
  expect(wrong('fr', 'Jamais payé')).toEqual([])
  expect(wrong('en', 'Never paid')).toEqual([])
})

test('placeholders, code and addresses are not checked', () => {
  expect(wrong('fr', 'Place {{rang}}, https://rang.example, `rang`')).toEqual([])
})
