import { expect, it } from 'vitest'
import { snippet, SNIPPET_LANGUAGES } from './snippets'

it('contains the URL, key and table per language', () => {
  for (const language of SNIPPET_LANGUAGES) {
    const code = snippet(language, 'http://127.0.0.1:54321', 'key', 'notes')
    for (const word of ['http://127.0.0.1:54321', 'key', 'notes']) expect(code).toContain(word)
  }
})

it('escapes quotes in the name of a table', () => {
  expect(snippet('javascript', 'u', 'k', "it's")).toContain(String.raw`from('it\'s')`)
  expect(snippet('python', 'u', 'k', 'a"b')).toContain(String.raw`table("a\"b")`)
  expect(snippet('curl', 'u', 'k', "a b'c")).toContain('/rest/v1/a%20b%27c?')
  expect(snippet('dart', 'u', 'k', '$x')).toContain(String.raw`from('\$x')`)
})
