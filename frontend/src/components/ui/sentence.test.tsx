import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Sentence } from './sentence'

const shown = (text: string) => render(<Sentence text={text} part={(words) => <b>{words}</b>} />).container.innerHTML

test('a sentence shows its marked part in its place', () => {
  expect(shown('3 votes behind <part>Astra</part>.')).toBe('3 votes behind <b>Astra</b>.')
})

test('a name that holds a mark stays whole', () => {
  expect(shown('behind <part>A</part>B</part>')).toBe('behind <b>A&lt;/part&gt;B</b>')
})

test('a sentence without a mark is only text', () => {
  expect(shown('tied')).toBe('tied')
})
