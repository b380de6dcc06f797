import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrast, parseHex, toHex, type Rgb } from '@/lib/text/colour'
import { accentOf } from './accent'

const part = fc.integer({ min: 0, max: 255 })

function rgb(hex: string | undefined): Rgb {
  const parsed = parseHex(hex)
  if (parsed === null) throw new Error(`not a colour: ${hex}`)
  return parsed
}

it('accent colours meet minimum contrast in both themes', () => {
  const both = (text: string | undefined): [Rgb, Rgb] => {
    const [light, dark] = [...(text ?? '').matchAll(/#[0-9a-f]{6}/g)].map(([hex]) => rgb(hex))
    return [light ?? [0, 0, 0], dark ?? [0, 0, 0]]
  }
  fc.assert(
    fc.property(fc.tuple(part, part, part), (colour) => {
      const style = accentOf(toHex(colour)) as Record<string, string>
      const [lightText, darkText] = both(style['--accent-text'])
      expect(contrast(lightText, [236, 229, 254])).toBeGreaterThanOrEqual(4.5)
      expect(contrast(darkText, [35, 26, 66])).toBeGreaterThanOrEqual(4.5)
      const [lightShape, darkShape] = both(style['--accent'])
      expect(contrast(lightShape, [246, 244, 251])).toBeGreaterThanOrEqual(3)
      expect(contrast(darkShape, [12, 10, 21])).toBeGreaterThanOrEqual(3)
    }),
  )
})

it('a colour with enough contrast is kept unchanged', () => {
  const style = accentOf('#7FB2D9') as Record<string, string>
  expect(style['--accent']).toMatch(/, #7fb2d9\)$/)
  expect(style['--accent']).not.toMatch(/^light-dark\(#7fb2d9/)
  expect(Object.keys(style)).toEqual(['--accent', '--accent-text'])
})

it('what is no colour changes nothing', () => {
  expect(accentOf('red; background: url(x)')).toBeUndefined()
  expect(accentOf(null)).toBeUndefined()
})
