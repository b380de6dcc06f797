import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrast, parseHex, toHex, type Rgb } from '@/lib/colour'
import { accentOf } from './accent'

const part = fc.integer({ min: 0, max: 255 })

function rgb(hex: string | undefined): Rgb {
  const parsed = parseHex(hex)
  if (parsed === null) throw new Error(`not a colour: ${hex}`)
  return parsed
}

it('any colour an owner picks stays readable as text and on a button', () => {
  fc.assert(
    fc.property(fc.tuple(part, part, part), (own) => {
      const style = accentOf(toHex(own)) as Record<string, string>
      const [light, dark] = [...(style['--accent-text'] ?? '').matchAll(/#[0-9a-f]{6}/g)].map(([hex]) => rgb(hex))
      expect(contrast(light ?? [0, 0, 0], [236, 229, 254])).toBeGreaterThanOrEqual(4.5)
      expect(contrast(dark ?? [0, 0, 0], [35, 26, 66])).toBeGreaterThanOrEqual(4.5)
      expect(contrast(rgb(style['--accent-fill']), rgb(style['--accent-contrast']))).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

it('a bright colour keeps its brightness under dark ink', () => {
  expect(accentOf('#F59E0B')).toMatchObject({ '--accent-fill': '#f59e0b', '--accent-contrast': '#1a1429' })
  expect(accentOf('#8B5CF6')).toMatchObject({ '--accent-contrast': '#ffffff' })
})

it('what is no colour changes nothing', () => {
  expect(accentOf('red; background: url(x)')).toBeUndefined()
  expect(accentOf(null)).toBeUndefined()
})
