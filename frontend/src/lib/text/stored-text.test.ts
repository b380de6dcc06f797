import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeStored, markedRuns, plainText, shorten } from './stored-text'
import vectors from '../stored-text.vectors.json'

/** Escapes a text as the database does before storing it. */
function store(text: string): string {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}

describe('decodeStored', () => {
  it('gives back any text as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeStored(store(text))).toBe(text)
      }),
    )
  })

  it('decodes once only', () => {
    expect(decodeStored('&amp;lt;b&amp;gt;')).toBe('&lt;b&gt;')
  })
})

describe('markedRuns', () => {
  it('finds bold and italic', () => {
    expect(markedRuns('a **b c** *d* e')).toEqual([
      { text: 'a ', mark: 'none' },
      { text: 'b c', mark: 'strong' },
      { text: ' ', mark: 'none' },
      { text: 'd', mark: 'em' },
      { text: ' e', mark: 'none' },
    ])
  })

  it('leaves lonely stars alone', () => {
    expect(markedRuns('2 * 3 * 4 and *')).toEqual([{ text: '2 * 3 * 4 and *', mark: 'none' }])
  })

  it('loses nothing but stars', () => {
    const bare = (text: string): string => text.replaceAll('*', '')
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c *]{0,40}$/), (text) => {
        expect(
          bare(
            markedRuns(text)
              .map((run) => run.text)
              .join(''),
          ),
        ).toBe(bare(text))
      }),
    )
  })
})

it('a preview contains no markup or line breaks', () => {
  expect(plainText('&lt;p&gt;Un **grand**\n serveur&lt;/p&gt;&lt;p&gt;d&#x27;Ada&lt;/p&gt;')).toBe(
    "Un grand serveur d'Ada",
  )
})

it.each(vectors.plain)('reads "$stored" as the server does', ({ stored, plain }) => {
  expect(plainText(stored)).toBe(plain)
})

it('text is shortened at a word, with ellipsis', () => {
  expect(shorten('one two three', 20)).toBe('one two three')
  expect(shorten('one two three', 9)).toBe('one two…')
  expect(shorten('onetwothree', 5)).toBe('onetw…')
})

it.each(vectors.shortened)('cuts "$text" at $length as the server does', ({ text, length, short }) => {
  expect(shorten(text, length)).toBe(short)
})
