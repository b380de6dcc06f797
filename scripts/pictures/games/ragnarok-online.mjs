// Ragnarok Online: the world tree over a walled town with red roofs, petals on the wind.
import { box, dot, polygon } from '../canvas.mjs'
import { beams, birds, cloud, finish, glow, haze, land, mist, motes, outline, sky, stars, sun } from '../landscape.mjs'
import { rampart, tower, tree, silhouette } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'ragnarok-online'

const roofs = (c, y, from, to, size, colours) => {
  for (let x = from; x < to; x += size * c.random.between(0.8, 1.05)) {
    const w = size * c.random.between(0.85, 1.1)
    const h = w * c.random.between(0.5, 0.8)
    const roof = c.random.pick(colours)
    c.shape(box(x, y - h, w, h + 20), '#f6e0c0')
    c.shape(box(x + w * 0.55, y - h, w * 0.45, h + 20), '#d3ae96')
    c.shape(polygon([[x - 5, y - h], [x + w * 0.5, y - h * 1.9], [x + w + 5, y - h]]), roof)
    c.shape(polygon([[x + w * 0.55, y - h], [x + w * 0.5, y - h * 1.9], [x + w + 5, y - h]]), '#7a2c3a')
    c.shape(box(x + w * 0.16, y - h * 0.66, w * 0.14, h * 0.3) + box(x + w * 0.7, y - h * 0.66, w * 0.14, h * 0.3), '#ffcf6a')
  }
}

export function backdrop(c) {
  sky(c, '#3d4f9a', '#7f9ad8', ['#ffc9b8', 0.56], ['#ffe9c0', 0.76])
  stars(c, 40, 200)
  sun(c, 480, 460, 62, '#ffe6a0', { halo: 9, strength: 0.6 })
  beams(c, 480, 460, 1300, '#fff6d8', { count: 12, from: -0.6, to: 1.4, opacity: 0.09 })
  for (const [x, y, w] of [[-40, 260, 520], [640, 330, 420], [1500, 240, 480], [260, 170, 360]]) cloud(c, x, y, w, '#fff', 0.7)
  // Roots, trunk and three crowns of the world tree.
  c.shape('M1190 840q70-40 90-160t-30-250l60 30 20 90 30-120 40-60-10 150 50-60 40-10-60 120q-20 150 60 240l60 40z', c.horizontal('#b58a92', ['#8a647f', 0.5], '#5c4568'))
  c.line('M1300 820q30-130 10-280M1350 820q-10-140 20-260M1400 820q-30-100 10-220', '#d9b0a8', 6, 'opacity=".4"')
  const heap = (x, y, r, n) => Array.from({ length: n }, (_, i) => dot(x + Math.cos((i / n) * 6.28) * r, y + Math.sin((i / n) * 6.28) * r * 0.5, r * c.random.between(0.42, 0.55), 0)).join('') + dot(x, y, r * 0.85, 0)
  c.shape(heap(1480, 370, 210, 11) + heap(1220, 400, 170, 10), '#3f7f7a')
  c.shape(heap(1340, 270, 240, 12) + heap(1130, 360, 120, 9), '#57a886')
  c.shape(heap(1270, 200, 130, 9) + heap(1080, 330, 60, 7) + heap(1420, 260, 80, 8), '#8fd08f')
  c.shape(Array.from({ length: 30 }, () => dot(c.random.between(1020, 1660), c.random.between(110, 440), c.random.between(3, 6), 0)).join(''), '#fff0b8', 'opacity=".8"')
  land(c, outline(c, 700, 50, { swell: 1.7 }), c.verticalBetween(640, 820, '#8fb8a8', '#e6dcb0'))
  mist(c, 740, 180, '#fff0d0', 0.65)
  // The town behind its wall.
  roofs(c, 770, 500, 1560, 120, ['#d9524a', '#c8443f', '#e0704f'])
  const pale = { lit: '#f4e4d4', shade: '#c4a2a0', roof: '#c8443f', light: '#ffcf6a' }
  tower(c, 900, 780, 84, 300, { ...pale, roofHeight: 140, windows: 4, flag: '#5f7fe0' })
  tower(c, 820, 780, 54, 200, { ...pale, roofHeight: 90, windows: 2 })
  tower(c, 980, 780, 54, 210, { ...pale, roofHeight: 90, windows: 2, flag: '#5f7fe0' })
  roofs(c, 806, 460, 1600, 150, ['#e0604f', '#d04a44', '#b83c40'])
  rampart(c, 420, 850, 1220, 62, '#d8bfae', 13)
  for (const x of [430, 760, 1060, 1360, 1640]) tower(c, x, 856, 58, 110, { ...pale, roofHeight: 62, windows: 1 })
  c.shape('M866 852v-44a44 44 0 0 1 88 0v44z', '#7a5560')
  c.shape('M878 852v-40a32 32 0 0 1 64 0v40z', '#4a2f45')
  haze(c, 720, 880, '#ffe0b8', 0.3)
  const meadow = land(c, outline(c, 864, 22, { swell: 1.3 }), c.verticalBetween(830, 1080, '#6fb070', '#1c3a3f'))
  c.shape('M880 856h60q10 60 120 120t180 104H620q200-90 250-130t10-94z', '#e6cf9e', 'opacity=".8"')
  for (const [x, h] of [[120, 270], [310, 190], [1560, 170], [1760, 290]]) tree(c, x, meadow[0][1] + 60, h, { trunk: '#5a3a4a', leaf: '#f08fb0', spread: 0.48 })
  // Round jellies with a sprout on the meadow, minding their own business.
  for (const [x, y, s] of [[640, 930, 1], [520, 960, 0.7], [1240, 940, 0.8]]) {
    c.group(`transform="translate(${x} ${y}) scale(${s})"`, () => {
      c.ellipse(0, 2, 44, 8, '#1c3a3f', 'opacity=".35"')
      c.shape('M-42-8q0-44 36-52 2-14 12-18-4 10 0 18 36 8 36 52-10 12-42 12t-42-12z', '#9fe0c0')
      c.shape('M10-58q32 10 32 50-10 12-42 12 30-18 10-62z', '#5fb09a')
      c.shape('M-18-30h7v12h-7zM6-30h7v12H6zM-9-14q6 6 13 0z', '#4a2338')
      c.ellipse(-24, -40, 7, 10, '#f0fff4', 'opacity=".8"')
    })
  }
  silhouette(c, 'soldier', 930, 960, 150, '#33303f')
  land(c, outline(c, 1000, 22, { swell: 1.5 }), c.verticalBetween(960, 1080, '#234a48', '#0a1a20'))
  birds(c, 760, 420, 7, '#5a6aa8', 15)
  motes(c, 90, [240, 1010], '#ffb8d0', { opacity: 0.85, size: [1.6, 4] })
  finish(c, '#0a111c')
}

export const logo = () =>
  badge(
    ['#f2a0b8', '#5a2f6a'],
    fill('M44 84q4-18 0-32h8q-4 14 0 32z', '#5a3348') +
      fill('M30 84q14-6 18-20 4 14 18 20z', '#5a3348') +
      fill('M26 60a14 14 0 0 1-6-26 16 16 0 0 1 20-18 16 16 0 0 1 22 4 15 15 0 0 1 12 20 13 13 0 0 1-6 20q-20 8-42 0z', '#5fc08a') +
      fill('M62 20a15 15 0 0 1 12 20 13 13 0 0 1-6 20q-10 4-22 4 24-10 16-44z', '#3a8a78') +
      fill('M30 30a9 9 0 0 1 12-6 9 9 0 0 1 12-2q-4 12-24 8z', '#c9f2a8') +
      '<g fill="#fff0c8"><circle cx="36" cy="46" r="4"/><circle cx="52" cy="38" r="4"/><circle cx="60" cy="50" r="4"/></g>',
  )
