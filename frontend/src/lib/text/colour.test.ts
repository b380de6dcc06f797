import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrast, parseHex, readableOn, toHex, type Rgb } from './colour'

const part = fc.integer({ min: 0, max: 255 })
const colour: fc.Arbitrary<Rgb> = fc.tuple(part, part, part)
const grounds: Rgb[] = [
  [255, 255, 255],
  [12, 10, 21],
]

it('any colour becomes readable in both themes', () => {
  fc.assert(
    fc.property(colour, fc.constantFrom(...grounds), (colourValue, background) => {
      expect(contrast(readableOn(background, colourValue), background)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

it('a readable colour stays as it is', () => {
  expect(readableOn([255, 255, 255], [96, 48, 214])).toEqual([96, 48, 214])
})

it('black on white has the maximum contrast', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21)
})

it('hexadecimal colours round trip or are refused', () => {
  fc.assert(
    fc.property(colour, (colourValue) => {
      expect(parseHex(toHex(colourValue))).toEqual(colourValue)
    }),
  )
  expect(parseHex('#8B5')).toEqual([0x88, 0xbb, 0x55])
  for (const wrong of ['red', '#12345', 'url(x)', '', null, undefined, '#8B5CF6;x']) expect(parseHex(wrong)).toBeNull()
})
