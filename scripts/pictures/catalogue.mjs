// Every picture there is: where it goes, how large it may be, and who draws it.
import { readdirSync } from 'node:fs'
import { banner } from './banners.mjs'
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

/** Stable number for a name, so that a new game does not redraw the others. */
const seedOf = (name) => [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7)

const sheet = (width, height, seed, draw) => {
  const canvas = new Canvas(width, height, seed)
  draw(canvas)
  return canvas.toString()
}

export const pictures = [
  ...games.flatMap((game) => [
    { path: `games/${game.slug}/backdrop.svg`, limit: 25 * KB, draw: () => sheet(1920, 1080, seedOf(game.slug), game.backdrop) },
    { path: `games/${game.slug}/logo.svg`, limit: 3 * KB, draw: game.logo },
  ]),
  ...Array.from({ length: 140 }, (_, i) => ({ path: `demo/logos/${i + 1}.svg`, limit: 3 * KB, draw: () => emblem(i + 1) })),
  ...Array.from({ length: 40 }, (_, i) => ({ path: `demo/banners/${i + 1}.svg`, limit: 12 * KB, draw: () => sheet(1200, 400, i + 1, (canvas) => banner(canvas, i + 1)) })),
]

export const rasters = []
