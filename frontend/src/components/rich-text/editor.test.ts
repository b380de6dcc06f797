// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { Editor } from '@tiptap/core'
import { expect, it } from 'vitest'
import { TAGS } from './allowed'
import { EXTENSIONS, written } from './editor'
import { sanitise } from './sanitise'

const EVERYTHING =
  '<h3>Règles</h3><h4>Ici</h4><p><strong>un</strong> <em>deux</em> <u>trois</u> <s>quatre</s> <code>cinq</code><br>' +
  '<a href="https://astra.fr/">Astra</a></p><ul><li><p>PvP</p></li></ul><ol><li><p>un</p></li></ol>' +
  '<blockquote><p>dit</p></blockquote><pre><code>x</code></pre><hr><p>fin</p>'

function edited(html: string): string {
  const editor = new Editor({ extensions: EXTENSIONS, content: sanitise(html), injectCSS: false })
  const made = editor.getHTML()
  editor.destroy()
  return made
}

it('writes all allowed tags and no others', () => {
  const made = edited(EVERYTHING)
  const tags = new Set([...made.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag))
  for (const tag of tags) expect(TAGS).toContain(tag)
  for (const tag of ['h3', 'h4', 'strong', 'em', 'u', 's', 'code', 'a', 'ul', 'ol', 'blockquote', 'pre', 'hr'])
    expect(tags).toContain(tag)
  expect(edited(made)).toBe(made)
})

it('removes javascript and mailto links', () => {
  expect(edited('<p><a href="javascript:alert(1)">x</a> <a href="mailto:a@b.c">y</a></p>')).not.toContain('href')
})

it('is empty when nothing is written', () => {
  expect(written(edited(''))).toBe('')
})

it('allows nothing that the database strips', () => {
  const sql = readFileSync('../sql/repeatable/00_text.sql', 'utf8')
  const stripped = /<\\s\*\/\?\\s\*\(([a-z|]+)\)/.exec(sql)?.[1]?.split('|') ?? []
  expect(stripped).toContain('script')
  for (const tag of stripped) expect(TAGS).not.toContain(tag)
})
