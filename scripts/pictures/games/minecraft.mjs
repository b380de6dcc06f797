// Minecraft: stepped hills of earth and grass under a square sun.
import { box, darker, lighter } from '../canvas.mjs'
import { glow, haze, motes, finish } from '../landscape.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'minecraft'

const steps = (c, base, height, cell, swell) => {
  const columns = []
  const phase = c.random.between(0, 6)
  for (let x = 0; x < c.width; x += cell) {
    const t = (x / c.width) * swell * 6.28 + phase
    const rise = (Math.sin(t) + Math.sin(t * 2.3 + 1) * 0.5 + c.random.between(-0.2, 0.2)) * height
    columns.push([x, base - Math.round(rise / cell) * cell])
  }
  return columns
}

const hill = (c, columns, cell, [grass, earth, stone]) => {
  const part = (top, bottom) => columns.map(([x, y]) => box(x, y + top, cell + 1, bottom === undefined ? c.height - y : bottom - top)).join('')
  c.shape(part(0), stone)
  c.shape(part(0, cell * 2), earth)
  c.shape(part(0, cell * 0.62), grass)
  const speck = (low, high, count) =>
    Array.from({ length: count }, () => {
      const [x, y] = c.random.pick(columns)
      return box(x + Math.floor(c.random.between(0, 3)) * (cell / 4), y + Math.round(c.random.between(low, high) * 4) * (cell / 4), cell / 4, cell / 4)
    }).join('')
  c.shape(speck(0, 0.25, 60), lighter(grass, 0.22))
  c.shape(speck(0.7, 1.6, 60) + speck(2.2, 6, 36), darker(earth, 0.25))
}

const tree = (c, x, y, s, [leaf, trunk]) => {
  c.shape(box(x, y - 4 * s, s, 4 * s), trunk)
  c.shape(box(x + s * 0.5, y - 4 * s, s * 0.5, 4 * s), darker(trunk, 0.3))
  c.shape(box(x - 2 * s, y - 5 * s, 5 * s, 2 * s) + box(x - s, y - 7 * s, 3 * s, 2 * s), leaf)
  c.shape(box(x + s, y - 5 * s, 2 * s, 2 * s) + box(x + s, y - 7 * s, s, 2 * s) + box(x - 2 * s, y - 3.5 * s, 5 * s, s * 0.5), darker(leaf, 0.28))
  c.shape(box(x - 2 * s, y - 5 * s, s, s / 2) + box(x - s / 2, y - 7 * s, s, s / 2) + box(x, y - 6 * s, s / 2, s / 2), lighter(leaf, 0.2))
}

export function backdrop(c) {
  c.rect(0, 0, 1920, 1080, c.vertical('#1c2a5e', '#4a63b0', ['#f0a583', 0.62], '#ffd9a0'))
  let stars = ''
  for (let i = 0; i < 40; i += 1) stars += box(c.random.between(0, 1920), c.random.between(0, 330), 4, 4)
  c.shape(stars, '#fff', 'opacity=".55"')
  glow(c, 1350, 420, 620, '#ffd27a', 0.75)
  c.rect(1230, 300, 240, 240, '#ffe9a8', 'opacity=".35"')
  c.rect(1260, 330, 180, 180, c.vertical('#fffbe2', '#ffe08a'))
  const clouds = [[120, 180, 5], [560, 110, 7], [980, 220, 4], [1560, 150, 6], [300, 330, 4]]
  for (const [x, y, n] of clouds) {
    c.shape(box(x, y, n * 48, 36) + box(x + 48, y - 36, (n - 2) * 48, 36), '#fff', 'opacity=".34"')
    c.shape(box(x, y + 36, n * 48, 12), '#d48fa0', 'opacity=".4"')
  }
  const far = steps(c, 610, 110, 32, 1.3)
  c.shape(far.map(([x, y]) => box(x, y, 33, 1080 - y)).join(''), c.verticalBetween(420, 800, '#7b86b8', '#e9b596'))
  haze(c, 480, 800, '#ffcf9e', 0.55)
  const middle = steps(c, 720, 90, 32, 1.7)
  hill(c, middle, 32, ['#6aa15c', '#9a7659', '#7b7a86'])
  for (const i of [6, 9, 15, 38, 45, 51]) tree(c, middle[i][0], middle[i][1], 16, ['#4d8752', '#7c5a3f'])
  // A small keep with lit windows on the far hill.
  const [kx, ky] = [middle[27][0], middle[27][1]]
  c.shape(box(kx, ky - 176, 128, 200) + box(kx - 16, ky - 192, 32, 16) + box(kx + 32, ky - 192, 32, 16) + box(kx + 80, ky - 192, 32, 16) + box(kx - 16, ky - 176, 160, 16), '#8b8896')
  c.shape(box(kx + 80, ky - 160, 48, 184) + box(kx + 128, ky - 176, 16, 16), '#6a6779')
  c.shape(box(kx + 24, ky - 128, 24, 32) + box(kx + 80, ky - 96, 24, 32) + box(kx + 24, ky - 64, 24, 32), '#ffd873')
  haze(c, 640, 960, '#e59d7a', 0.34)
  const near = steps(c, 890, 80, 40, 1.1)
  hill(c, near, 40, ['#3f8046', '#6b4c3b', '#4b4757'])
  for (const [i, s] of [[3, 26], [8, 20], [36, 22], [41, 28], [45, 22]]) tree(c, near[i][0], near[i][1], s, ['#2f6b3f', '#54392c'])
  // Ores glimmer in the cut of the hill.
  let ore = ''
  for (let i = 0; i < 22; i += 1) {
    const [x, y] = c.random.pick(near)
    const o = y + 120 + c.random.between(0, 120)
    ore += box(x + 6, o, 10, 10) + box(x + 22, o + 12, 10, 10)
  }
  c.shape(ore, '#5ee0d0', 'opacity=".75"')
  motes(c, 50, [380, 980], '#ffe9b0', { size: [1.5, 3.5], square: true, opacity: 0.6 })
  finish(c, '#0d0b18')
}

export const logo = () =>
  badge(
    ['#79c05a', '#2f6f46'],
    fill('M48 16 80 33v32L48 82 16 65V33z', '#6b4a35') +
      fill('M48 50 80 33v32L48 82z', '#4d3326') +
      fill('M48 16 80 33 48 50 16 33z', '#a5e06b') +
      fill('M16 33 48 50v10l-6-3v5l-7-4v-5l-7-3v6l-6-3v-6l-6-3z', '#7cc152') +
      fill('M80 33 48 50v10l7-3v5l6-3v-6l7-4v7l6-4v-5l6-4z', '#58973f') +
      fill('M48 23l7 4-7 4-7-4zM62 30l6 3-6 3-6-3z', '#c6f08c') +
      fill('M24 56l6 3v6l-6-3zM36 68l5 3v5l-5-3z', '#8a6248') +
      fill('M60 66l6-3v6l-6 3zM70 50l5-2v5l-5 3z', '#6b4a35'),
  )
