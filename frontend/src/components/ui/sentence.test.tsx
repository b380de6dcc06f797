import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Sentence } from './sentence'

const renderSentence = (text: string) =>
  render(<Sentence text={text} part={(words) => <b>{words}</b>} />).container.innerHTML

test('a sentence renders its marked part in place', () => {
  expect(renderSentence('3 votes behind <part>Astra</part>.')).toBe('3 votes behind <b>Astra</b>.')
})

test('a name that holds a mark stays whole', () => {
  expect(renderSentence('behind <part>A</part>B</part>')).toBe('behind <b>A&lt;/part&gt;B</b>')
})

test('a sentence without a mark is only text', () => {
  expect(renderSentence('tied')).toBe('tied')
})
