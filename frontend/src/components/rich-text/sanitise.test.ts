// @vitest-environment jsdom
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sanitise } from './sanitise'

it('keeps what owners write with', () => {
  expect(sanitise('<p>Un <strong>grand</strong> serveur</p><ul><li>PvP</li></ul>')).toBe(
    '<p>Un <strong>grand</strong> serveur</p><ul><li>PvP</li></ul>',
  )
})

it('lowers headings below the page’s own', () => {
  expect(sanitise('<h1>Règles</h1>')).toBe('<h3>Règles</h3>')
})

it('lets links vouch for nothing', () => {
  expect(sanitise('<a href="https://astra.fr/">Astra</a>')).toBe(
    '<a href="https://astra.fr/" target="_blank" rel="noopener nofollow ugc">Astra</a>',
  )
})

it('drops whatever acts or loads', () => {
  const attacks = [
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<iframe src="https://example.org"></iframe>',
    '<svg onload=alert(1)></svg>',
    '<p style="position:fixed" onclick="alert(1)" class="x" id="root">x</p>',
    '<form action="/"><input></form>',
  ]
  for (const attack of attacks) expect(sanitise(attack)).toMatch(/^(<p>x<\/p>)?$/)
  expect(sanitise('<a href="javascript:alert(1)">x</a>')).not.toContain('href')
})

it('only ever gives out tags from the list', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[<>/a-z "'=:()]{0,60}$/), (html) => {
      for (const [, tag] of sanitise(html).matchAll(/<\/?([a-z0-9]+)/g)) {
        expect([
          'p',
          'br',
          'hr',
          'strong',
          'b',
          'em',
          'i',
          'u',
          's',
          'ul',
          'ol',
          'li',
          'h3',
          'h4',
          'blockquote',
          'code',
          'pre',
          'a',
          'span',
        ]).toContain(tag)
      }
    }),
  )
})
