import { afterEach, expect, it, vi } from 'vitest'
import { sizesOf } from './sized-picture'

const OWN = '/storage/v1/object/public/server-images/u1/logo.png'
const RENDERED = '/storage/v1/render/image/public/server-images/u1/logo.png?width='

afterEach(() => vi.unstubAllGlobals())

it('asks for an upload at the width it is shown with, and at twice that', () => {
  expect(sizesOf(OWN, 40)).toBe(`${RENDERED}40 1x, ${RENDERED}80 2x`)
})

it('leaves it at the small one on a slow connection', () => {
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
