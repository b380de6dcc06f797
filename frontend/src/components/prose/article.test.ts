import { expect, it } from 'vitest'
import { readArticle } from '../../../scripts/markdown-plugin'

it('reads title, headings and every kind of block', () => {
  const text = [
    '# Été & co',
    'Hello **you** <https://example.org/?a=1&b=2>.',
    '## Première étape',
    '> [!TIP]\n> Keep it.',
    '1. One\n2. Two',
    '```php Ask\necho 1;\n```\n\n```js\nalert(1)\n```',
    '```sh Another\nls\n```',
    '## Première étape',
  ].join('\n\n')
  expect(readArticle(text)).toEqual({
    title: 'Été & co',
    headings: [
      { id: 'premiere-etape', text: 'Première étape', level: 2 },
      { id: 'premiere-etape--2', text: 'Première étape', level: 2 },
    ],
    blocks: [
      {
        kind: 'html',
        html:
          '<p>Hello <strong>you</strong> <a href="https://example.org/?a=1&amp;b=2" rel="noopener">https://example.org/?a=1&amp;b=2</a>.</p>\n' +
          '<h2 id="premiere-etape">Première étape</h2>\n',
      },
      { kind: 'callout', tone: 'tip', blocks: [{ kind: 'html', html: '<p>Keep it.</p>\n' }] },
      {
        kind: 'steps',
        steps: [[{ kind: 'html', html: 'One' }], [{ kind: 'html', html: 'Two' }]],
      },
      {
        kind: 'code',
        label: 'Ask',
        versions: [
          { language: 'php', code: 'echo 1;' },
          { language: 'js', code: 'alert(1)' },
        ],
      },
      { kind: 'code', label: 'Another', versions: [{ language: 'sh', code: 'ls' }] },
      { kind: 'html', html: '<h2 id="premiere-etape--2">Première étape</h2>\n' },
    ],
  })
})

it.each([
  ['raw HTML', '<b onclick="x()">a</b>'],
  ['raw HTML in a line', 'a <img src=x onerror=alert(1)>'],
  ['another kind of address', '[a](javascript:alert(1))'],
  ['another site without a scheme', '[a](//evil.example)'],
  ['a picture', '![a](/a.png)'],
  ['a second title', '# Again'],
])('refuses %s', (_, text) => {
  expect(() => readArticle(`# Title\n\n${text}`)).toThrow()
})

it('escapes what only looks like HTML', () => {
  const { blocks } = readArticle('# Title\n\n`<b>` & 1 < 2')
  expect(blocks).toEqual([{ kind: 'html', html: '<p><code>&lt;b&gt;</code> &amp; 1 &lt; 2</p>\n' }])
})
