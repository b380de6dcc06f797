import { expect, test } from 'vitest'
import { misnamed, refusedWords } from '../../scripts/glossary.mjs'

const refused = refusedWords(`${import.meta.dirname}/../../../docs/glossary.md`)
const wrong = (language: 'fr' | 'en' | 'es', text: string) =>
  misnamed(text, refused[language] ?? []).map(({ word, instead }) => [word, instead])

test('the registry refuses words in every language', () => {
  expect(Object.values(refused).every((words) => words.length > 0)).toBe(true)
})

test('a refused word is found whatever its case, and as a word only', () => {
  expect(wrong('fr', 'Votre Rang change')).toEqual([['rang', 'place']])
  expect(wrong('fr', 'Une frange du rangement')).toEqual([])
  expect(wrong('en', 'Log  in to vote')).toEqual([['log in', 'sign in']])
  expect(wrong('es', 'Servidores destacados')).toEqual([['destacad*', 'patrocinado']])
})

test('what is filled in, code and addresses are not worded here', () => {
  expect(wrong('fr', 'Place {{rang}}, https://rang.example, `rang`')).toEqual([])
})
