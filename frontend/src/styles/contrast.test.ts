import { describe, expect, test } from 'vitest'
import css from './tokens.css?raw'

/** The two values of a colour token: light, dark. */
function token(name: string): [string, string] {
  const found = new RegExp(`--${name}: (?:light-dark\\((#\\w+), (#\\w+)\\)|(#\\w+));`).exec(css)
  if (!found) throw new Error(`no colour ${name}`)
  return [found[1] ?? found[3]!, found[2] ?? found[3]!]
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [r, g, b] = channels.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** A translucent color over another. */
function over(name: string, background: string): string {
  const [, channels = '', alpha = ''] = new RegExp(`--${name}: rgb\\(([\\d ]+) / ([\\d.]+)\\);`).exec(css) ?? []
  const below = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16))
  const mixed = channels
    .trim()
    .split(' ')
    .map((c, at) => Number(c) * Number(alpha) + below[at]! * (1 - Number(alpha)))
  return `#${mixed.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('')}`
}

const grounds = ['background', 'surface', 'surface-raised', 'surface-sunken']
const texts = ['text', 'text-muted', 'accent-text', 'gold-text', 'online', 'danger', 'warning']
const pairs = [
  ...texts.flatMap((text) => grounds.map((background) => [text, background] as const)),
  ['accent-contrast', 'accent-fill'],
  ['accent-contrast', 'accent-fill-hover'],
  ['accent-text', 'accent-soft'],
  ['text', 'accent-soft'],
  ['gold-text', 'gold-soft'],
  ['danger', 'danger-soft'],
  ['medal-ink', 'gold'],
  ['medal-ink', 'silver'],
  ['medal-ink', 'bronze'],
] as const

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const index = theme === 'light' ? 0 : 1
  test.each(pairs)('%s is readable on %s', (text, background) => {
    expect(contrast(token(text)[index], token(background)[index])).toBeGreaterThanOrEqual(4.5)
  })
  test.each(grounds)('the edge of a field shows on %s', (background) => {
    expect(contrast(token('border-strong')[index], token(background)[index])).toBeGreaterThanOrEqual(3)
  })
})

test('text over a white picture is readable', () => {
  expect(contrast(token('on-picture')[0], over('picture-shade', '#ffffff'))).toBeGreaterThanOrEqual(4.5)
})
