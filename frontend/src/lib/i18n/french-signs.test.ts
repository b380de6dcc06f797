import { expect, test } from 'vitest'
import { misplacedSpaces, proseOf } from '../../../scripts/french-signs.mjs'

test('wrong French spacing of signs is found', () => {
  for (const text of [
    'Impossible ?',
    'Impossible?',
    'Impossible\u00a0?',
    'Page : 2',
    'Page: 2',
    'Page\u202f: 2',
    'Fait :',
  ])
    expect(misplacedSpaces(text), text).toHaveLength(1)
  for (const text of ['« Ada »', '«Ada»', '«\u202fAda\u202f»']) expect(misplacedSpaces(text), text).toHaveLength(2)
})

test('correct French spacing and addresses are accepted', () => {
  for (const text of [
    'Retirer «\u00a0{{name}}\u00a0»\u202f?',
    'Trop faible\u00a0: 6 caractères au minimum\u202f; réessayez.',
    'Voyez https://palmares.example/?page=2 à 12:30.',
  ])
    expect(misplacedSpaces(text), text).toEqual([])
})

test('code and Markdown marks are not prose', () => {
  const page = '> [!NOTE]\n> Un mot.\n\n```json a: b\n{ "a": 1 }\n```\n\nLisez [ceci](/fr?a=1) et `a: b`.\n'
  expect(misplacedSpaces(proseOf(page))).toEqual([])
  expect(misplacedSpaces(proseOf('# Vraiment ?\n'))).toHaveLength(1)
})
