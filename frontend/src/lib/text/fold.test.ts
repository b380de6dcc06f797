import { expect, test } from 'vitest'
import { fold } from './fold'

test.each([
  ['L’Île ROUGE', 'l ile rouge'],
  ['  Drop   élevé ', 'drop eleve'],
  ['Œuvre & Straße', 'oeuvre strasse'],
  ['CS:GO (100%_*)', 'cs go 100'],
  ['%_*', ''],
])('%s is compared as %s', (text, folded) => {
  expect(fold(text)).toBe(folded)
})
