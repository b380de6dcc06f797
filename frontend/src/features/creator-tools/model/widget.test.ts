import { expect, test } from 'vitest'
import { iframeCode, pictureCode, scriptCode, sizeOf, widgetPath, type Widget } from './widget'

const WIDGET: Widget = {
  server: 'de300000-0000-4000-8000-000000000001',
  format: 'banner',
  size: 'large',
  theme: 'retro',
  language: 'es',
  votes: true,
  rounded: false,
  animation: true,
  nickname: '',
}
const HOSTILE = '"><script>alert(1)</script>'

test('an address says what was chosen', () => {
  expect(widgetPath(WIDGET)).toBe(
    `/widget/${WIDGET.server}?format=banner&size=large&theme=retro&lang=es&votes=1&rounded=0&animation=1`,
  )
  expect(widgetPath({ ...WIDGET, nickname: ' Léa & co ' })).toMatch(/&nickname=L%C3%A9a\+%26\+co$/)
  expect(sizeOf(WIDGET)).toEqual({ width: 728, height: 128 })
})

test('embed codes escape hostile names and nicknames', () => {
  const widget = { ...WIDGET, nickname: HOSTILE }
  const codes = [
    iframeCode(widget, 'https://p.fr', HOSTILE),
    scriptCode(widget, 'https://p.fr', HOSTILE),
    pictureCode(widget, 'https://p.fr', HOSTILE, 'https://p.fr/serveur/x'),
  ]
  for (const code of codes) {
    const page = document.createElement('div')
    page.innerHTML = code
    expect(page.children).toHaveLength(1)
    expect(page.textContent).toBe('')
  }
  const frame = document.createElement('div')
  frame.innerHTML = codes[0] ?? ''
  expect(frame.querySelector('iframe')?.title).toBe(HOSTILE)
  expect(new URL(frame.querySelector('iframe')?.getAttribute('src') ?? '').searchParams.get('nickname')).toBe(HOSTILE)
})
