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

test('placeholders are replaced, unknown ones remain', () => {
  expect(withWords(article, { cooldown: '2\u202fheures', origin: 'https://a.example' })).toEqual({
    title: 'Every 2\u202fheures',
    headings: [],
    blocks: [
      { kind: 'html', html: '<p>2\u202fheures, {{unknown}}</p>' },
      { kind: 'code', label: 'x', versions: [{ language: 'js', code: "fetch('https://a.example/a')" }] },
    ],
  })
})

test('inserted values are escaped in HTML blocks', () => {
  const { title, blocks } = withWords(article, { cooldown: 'Dupont & <b>"Fils"\\h</b>', origin: 'a' })
  expect(title).toBe('Every Dupont & <b>"Fils"\\h</b>')
  expect(blocks[0]).toEqual({
    kind: 'html',
    html: '<p>Dupont &amp; &lt;b&gt;&quot;Fils&quot;\\h&lt;/b&gt;, {{unknown}}</p>',
  })
})
