import { afterEach, expect, it, vi } from 'vitest'
import { sizesOf } from './sized-picture'

const OWN = '/storage/v1/object/public/server-images/u1/logo.png'
const RENDERED = '/storage/v1/render/image/public/server-images/u1/logo.png?width='

afterEach(() => vi.unstubAllGlobals())

it('requests single and double width of uploads', () => {
  expect(sizesOf(OWN, 40)).toBe(`${RENDERED}40 1x, ${RENDERED}80 2x`)
})

it('requests only single width with data saving', () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  expect(sizesOf(OWN, 40)).toBe(`${RENDERED}40 1x`)
})

it.each([
  ['of another site', 'https://elsewhere.example/logo.png', 40],
  ['of another bucket', '/storage/v1/object/public/other/logo.png', 40],
  ['that moves', OWN.replace('.png', '.GIF'), 40],
  ['with a version in its address', `${OWN}?v=2`, 40],
  ['about as wide as it is stored', OWN, 501],
])('fetches a picture %s as it is', (_, src, width) => {
  expect(sizesOf(src, width)).toBeUndefined()
})
