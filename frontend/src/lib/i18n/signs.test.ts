import { expect, test } from 'vitest'
import { keyboardSubstitutes } from '../../../scripts/signs.mjs'

test('keyboard substitutes are found in a text', () => {
  expect(keyboardSubstitutes("Couldn't load...")).toEqual([
    'a typographic apostrophe or quotation mark',
    'the character …',
  ])
  expect(keyboardSubstitutes('Votes  today ')).toEqual(['one space, between words only'])
})

test('a typeset text has nothing to mend', () => {
  expect(keyboardSubstitutes('Couldn’t load “Astra” {{count}}…')).toEqual([])
})
