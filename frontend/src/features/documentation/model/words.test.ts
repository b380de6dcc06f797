import { expect, test } from 'vitest'
import type { Article } from '@/components/prose/article'
import { withWords } from './words'

const article: Article = {
  title: 'Every {{cooldown}}',
  headings: [],
  blocks: [
    { kind: 'html', html: '<p>{{cooldown}}, {{unknown}}</p>' },
    { kind: 'code', label: 'x', versions: [{ language: 'js', code: "fetch('{{origin}}/a')" }] },
  ],
}

test('words stand wherever they are named, and what is not known stays', () => {
  expect(withWords(article, { cooldown: '2\u202fheures', origin: 'https://a.example' })).toEqual({
    title: 'Every 2\u202fheures',
    headings: [],
    blocks: [
      { kind: 'html', html: '<p>2\u202fheures, {{unknown}}</p>' },
      { kind: 'code', label: 'x', versions: [{ language: 'js', code: "fetch('https://a.example/a')" }] },
    ],
  })
})

test('a word brings no HTML and breaks no text', () => {
  const { title } = withWords(article, { cooldown: '<b>"2\\h"</b>' })
  expect(title).toBe('Every b2\\h/b')
})
