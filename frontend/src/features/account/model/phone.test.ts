import { expect, it } from 'vitest'
import { maskedPhone, readPhone } from './phone'

it.each([
  ['+33 6 12 34 56 78', '+33612345678'],
  ['0033 (6) 12-34.56.78', '+33612345678'],
  ['06 12 34 56 78', null],
  ['+0612345678', null],
  ['+12 34', null],
  ['+1234567890123456', null],
  ['', null],
])('reads %s', (typed, number) => {
  expect(readPhone(typed)).toBe(number)
})

it('keeps most of a number to itself', () => {
  expect(maskedPhone('33612345678')).toBe('•••• 5678')
})
