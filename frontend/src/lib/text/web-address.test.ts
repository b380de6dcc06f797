import { expect, test } from 'vitest'
import { webAddress } from './web-address'

test.each([
  ['https://astra.fr/', 'https://astra.fr/'],
  ['astra.fr', 'https://astra.fr/'],
  ['https://a.fr/?a=1&amp;b=2', 'https://a.fr/?a=1&b=2'],
  ['javascript:alert(1)', null],
  [' JaVaScRiPt:alert(1)', null],
  ['data:text/html,x', null],
  ['http://[', null],
  ['', null],
  [null, null],
])('%j leads to %j', (stored, address) => {
  expect(webAddress(stored)).toBe(address)
})
