import { expect, test } from 'vitest'
import { untypeset } from '../../../scripts/signs.mjs'

test('the signs of a keyboard are found in a text', () => {
  expect(untypeset("Couldn't load...")).toEqual(['a typographic apostrophe or quotation mark', 'the sign …'])
  expect(untypeset('Votes  today ')).toEqual(['one blank, between words only'])
})

test('a typeset text has nothing to mend', () => {
  expect(untypeset('Couldn’t load “Astra” {{count}}…')).toEqual([])
})
