// Flyff: flyers over pastel clouds, small islands with bright roofs.
import { polygon } from '../canvas.mjs'
import { beams, birds, cloud, finish, glow, haze, mist, motes, sky, stars, streaks } from '../landscape.mjs'
import { island, tree, windmill } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'flyff'

const cottage = (c, x, base, s, roof) => {
  c.group(`transform="translate(${x} ${base}) scale(${s})"`, () => {
    c.shape('M-40 0v-50h80V0z', '#fff2dc')
    c.shape('M8 0v-50h32V0z', '#e2c2b4')
    c.shape('M-56-46Q-30-70-6-124 30-80 56-46 0-34-56-46z', roof)
    c.shape('M-6-124Q30-80 56-46 30-40 10-40 14-84-6-124z', '#7a3f8c', 'opacity=".35"')
    c.shape('M-24-34h18v18h-18z', '#ffd45f')
    c.shape('M16 0v-26a9 9 0 0 1 18 0V0z', '#8a4f5c')
  })
}

const flyer = (c, x, y, s, [coat, hair, trail]) => {
  c.group(`transform="translate(${x} ${y}) rotate(-12) scale(${s})"`, () => {
    c.shape('M-60 14q-140 10-300 70 120-110 300-86z', c.horizontal([trail, 0, 0], [trail, 1, 0.85]))
    c.shape('M-80 6h150l34-8-30 18H-80z', '#7a4f35')
    c.shape('M-80 2l-60-16 16 24-20 22 64-16z', '#f2c04a')
    c.shape('M-80 10l-64 22 12-16z', '#c9862c')
    c.shape('M-30 6q-4-40 20-52l22 8q10 26 4 44z', coat)
    c.shape('M6-30l40 20-6 10-40-16z', coat)
    c.shape('M-30-40q-40 4-70 30 30 0 66-2z', trail)
    c.circle(10, -62, 18, '#ffdcb8')
    c.shape('M-8-60q-4-26 20-26 20 2 18 20-14-8-22-4-2 12-8 22-8-2-8-12z', hair)
    c.shape('M-20 4h40l10 12h-22l-6-6h-22z', '#3f3a6a')
  })
}

export function backdrop(c) {
  sky(c, '#3a3f9a', '#8a78d8', ['#f0a8cf', 0.52], ['#ffd9b4', 0.74], '#fff0c8')
  stars(c, 90, 300)
  glow(c, 820, 640, 820, '#fff0c0', 0.75)
  beams(c, 820, 640, 1300, '#fff', { count: 12, from: Math.PI, to: Math.PI * 2, opacity: 0.1 })
  c.circle(820, 620, 96, '#fffbe6')
  streaks(c, 10, 200, 460, '#fff', 0.35)
  for (const [x, y, w] of [[-80, 420, 620], [420, 300, 460], [1100, 360, 560], [1520, 260, 520], [560, 560, 520], [1240, 600, 600]]) cloud(c, x, y, w, '#fff4fa', 0.65)
  const land = { top: '#9ae07a', lit: '#d9a0a8', shade: '#a06a9a' }
  island(c, 980, 240, 150, 90, land)
  cottage(c, 980, 236, 0.5, '#ef6a7a')
  island(c, 170, 290, 180, 110, land)
  tree(c, 140, 286, 100, { trunk: '#8a5a6a', leaf: '#f29ac0' })
  tree(c, 210, 288, 70, { trunk: '#8a5a6a', leaf: '#f29ac0' })
  mist(c, 720, 300, '#ffe6dc', 0.6)
  island(c, 1450, 540, 560, 280, land)
  windmill(c, 1330, 536, 240, { lit: '#fff4e0', shade: '#e0bcb0', roof: '#5f9ae8', sail: '#fff', light: '#ffd45f', turn: 0.5 })
  cottage(c, 1470, 534, 1, '#ef6a7a')
  cottage(c, 1580, 534, 0.8, '#f2a83c')
  tree(c, 1670, 534, 150, { trunk: '#8a5a6a', leaf: '#f29ac0' })
  tree(c, 1230, 540, 110, { trunk: '#8a5a6a', leaf: '#f29ac0' })
  c.shape('M1500 560c6 90 0 180 8 300h26c-10-140 0-220-8-302z', c.vertical(['#eafcff', 0, 0.95], ['#eafcff', 1, 0]))
  island(c, 330, 720, 460, 230, { ...land, top: '#7fd070' })
  cottage(c, 270, 716, 1.1, '#5f9ae8')
  cottage(c, 390, 716, 0.9, '#ef6a7a')
  tree(c, 160, 716, 150, { trunk: '#7a4f62', leaf: '#ef86b4' })
  tree(c, 500, 716, 130, { trunk: '#7a4f62', leaf: '#ef86b4' })
  c.line('M560 716Q900 800 1180 548', '#b87a8a', 5)
  c.shape(Array.from({ length: 9 }, (_, i) => { const t = (i + 1) / 10; const x = Math.round(560 + 620 * t); const y = Math.round(716 * (1 - t) ** 2 + 2 * 800 * t * (1 - t) + 548 * t * t); return `M${x - 12} ${y}h26l-12 32z` }).join(''), '#ffd45f')
  flyer(c, 900, 430, 1.25, ['#e8506a', '#6a3f2a', '#ffe08a'])
  flyer(c, 660, 300, 0.7, ['#4f8af0', '#f2c04a', '#bfe8ff'])
  flyer(c, 1180, 290, 0.55, ['#5fc48a', '#3a2f5a', '#ffc4e0'])
  for (const [x, y, w] of [[-120, 960, 760], [480, 1000, 640], [960, 950, 760], [1480, 990, 640]]) cloud(c, x, y, w, '#a88ad8', 0.85)
  haze(c, 780, 1080, '#5a4aa8', 0.5)
  birds(c, 500, 470, 6, '#8a5aa0', 14)
  motes(c, 90, [220, 1000], '#fff', { opacity: 0.75 })
  finish(c, '#100c26', { foot: 0.85 })
}

export const logo = () =>
  badge(
    ['#f28ac0', '#4a3aa8'],
    fill('M8 70q10-16 26-10 4-12 18-10 12 2 14 12 14-4 22 8-40 16-80 0z', '#fff') +
      fill('M16 60 52 34l5 8-36 26z', '#8a5a3c') +
      fill('M20 56 6 58l6 8-4 12 18-12z', '#ffcf4a') +
      fill('M46 40c-12-10-14-22-8-32 4 10 10 14 18 17z', '#fff6fb') +
      fill('M56 46c14 2 24-6 28-18-8 6-16 6-24 4-6-1-10 4-8 10z', '#ffd9ec') +
      fill('M54 34l14-10 8-2-4 8-13 12z', '#ffcf4a'),
  )
