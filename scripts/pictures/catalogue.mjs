// Every picture: its path, its maximum size, and the function that draws it.
import { readdirSync } from 'node:fs'
import { arcadeNight, arcadeTile } from './arcade.mjs'
import { banner } from './banners.mjs'
import { favicon, lockup, mark, socialCard, tile, wordmark } from './brand.mjs'
import { Canvas } from './canvas.mjs'
import { emblem } from './emblems.mjs'

const KB = 1024
const folder = new URL('./games/', import.meta.url)
const games = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .sort()
    .map((name) => import(new URL(name, folder))),
)

/** A seed from the name of a game, so that a new game does not change the pictures of the others. */
const seedOf = (name) => [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7)

const drawing = (width, height, seed, draw) => {
  const canvas = new Canvas(width, height, seed)
  draw(canvas)
  return canvas.toString()
}

const DARK_INK = '#171329'
const LIGHT_INK = '#f4f1fd'

export const pictures = [
  { path: 'backdrop.svg', limit: 25 * KB, draw: () => drawing(1920, 1080, 11, arcadeNight) },
  ...games.flatMap((game) => [
    { path: `games/${game.slug}/backdrop.svg`, limit: 25 * KB, draw: () => drawing(1920, 1080, seedOf(game.slug), game.backdrop) },
    { path: `games/${game.slug}/logo.svg`, limit: 3 * KB, draw: game.logo },
  ]),
  ...Array.from({ length: 140 }, (_, i) => ({ path: `demo/logos/${i + 1}.svg`, limit: 3 * KB, draw: () => emblem(i + 1) })),
  ...Array.from({ length: 40 }, (_, i) => ({ path: `demo/banners/${i + 1}.svg`, limit: 12 * KB, draw: () => drawing(1200, 400, i + 1, (canvas) => banner(canvas, i + 1)) })),
  ...[1, 2, 3].map((n) => ({ path: `demo/arcade/${n}.svg`, limit: 12 * KB, draw: () => drawing(512, 288, n + 40, (canvas) => arcadeTile(canvas, n)) })),
  { path: 'brand/mark.svg', limit: 4 * KB, draw: mark },
  { path: 'brand/wordmark.svg', limit: 3 * KB, draw: () => wordmark('currentColor') },
  { path: 'brand/wordmark-on-dark.svg', limit: 3 * KB, draw: () => wordmark(LIGHT_INK, '#a78bfa') },
  { path: 'brand/wordmark-on-light.svg', limit: 3 * KB, draw: () => wordmark(DARK_INK, '#7c3aed') },
  { path: 'brand/logo-on-dark.svg', limit: 5 * KB, draw: () => lockup(LIGHT_INK, '#a78bfa') },
  { path: 'brand/logo-on-light.svg', limit: 5 * KB, draw: () => lockup(DARK_INK, '#7c3aed') },
  { path: 'brand/favicon.svg', limit: 2 * KB, draw: favicon },
]

/** Pictures that cannot be SVG; a browser renders them. Some sites refuse preview images above 300 kB. */
export const rasters = [
  { path: 'social-card.jpg', width: 1200, height: 630, draw: socialCard, type: 'jpeg' },
  { path: 'brand/apple-touch-icon.png', width: 180, height: 180, draw: () => tile(0) },
  { path: 'brand/icon-192.png', width: 192, height: 192, draw: () => tile(14) },
  { path: 'brand/icon-512.png', width: 512, height: 512, draw: () => tile(14) },
  { path: 'brand/icon-maskable-512.png', width: 512, height: 512, draw: () => tile(0, 0.72) },
]
