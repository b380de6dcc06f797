// Dofus Retro: an autumn village evening, an old mill and a ring of standing light.
import { box, polygon } from '../canvas.mjs'
import { birds, cloud, finish, glow, haze, land, mist, motes, outline, sky, streaks, sun } from '../landscape.mjs'
import { tree, windmill } from '../motifs.mjs'
import { badge, fill, stroke } from '../badge.mjs'

export const slug = 'dofus-retro'

const house = (c, x, base, w, roof) => {
  const h = w * 0.5
  c.rect(x, base - h, w, h + 8, '#f2cf96')
  c.rect(x + w * 0.6, base - h, w * 0.4, h + 8, '#c9976a')
  c.shape(polygon([[x - w * 0.1, base - h], [x + w * 0.24, base - h * 2.1], [x + w * 0.84, base - h * 2.1], [x + w * 1.1, base - h]]), roof)
  c.shape(polygon([[x + w * 0.6, base - h], [x + w * 0.72, base - h * 2.1], [x + w * 0.84, base - h * 2.1], [x + w * 1.1, base - h]]), '#7a2f2c')
  c.shape(box(x + w * 0.66, base - h * 2.5, w * 0.1, h * 0.7), '#8c5a4a')
  c.shape(box(x + w * 0.12, base - h * 0.75, w * 0.14, h * 0.34) + box(x + w * 0.36, base - h * 0.75, w * 0.14, h * 0.34), '#ffdf7a')
  c.shape(box(x + w * 0.72, base - h * 0.6, w * 0.14, h * 0.6), '#6a3b2c')
}

export function backdrop(c) {
  sky(c, '#3b2a5c', '#8c4a6b', ['#e8854f', 0.5], ['#ffd07a', 0.72])
  sun(c, 1420, 500, 84, '#ffc861', { halo: 8, strength: 0.6 })
  streaks(c, 10, 180, 430, '#ffc890', 0.35)
  for (const [x, y, w] of [[80, 300, 460], [820, 240, 420], [1540, 330, 380]]) cloud(c, x, y, w, '#ffdcb0', 0.5)
  land(c, outline(c, 620, 80, { swell: 1.7 }), c.verticalBetween(520, 780, '#b5697a', '#f5b877'))
  land(c, outline(c, 690, 60, { swell: 2 }), c.verticalBetween(620, 820, '#b97a4c', '#f0b765'))
  mist(c, 730, 170, '#ffe0a0', 0.55)
  const fields = land(c, outline(c, 760, 50, { swell: 1.4 }), c.verticalBetween(700, 920, '#c98b35', '#8f6a2e'))
  for (let i = 0; i < 14; i += 1) tree(c, 60 + i * 135, fields[0][1] + (i % 3) * 18, 88, { trunk: '#4a2a1f', leaf: ['#d9702f', '#e0a03a'][i % 2] })
  land(c, [[120, 900], [260, 800], [400, 752], [560, 744], [720, 772], [880, 850], [960, 920]], c.verticalBetween(740, 920, '#d9a441', '#7f6a2c'))
  windmill(c, 470, 758, 360, { lit: '#ffe3b0', shade: '#cf9a68', roof: '#a8432f', sail: '#fff0cf', light: '#ffd45a', turn: 0.7 })
  house(c, 600, 790, 120, '#b5462f')
  house(c, 300, 800, 100, '#c25a34')
  // The ring of stone that carries travellers.
  land(c, [[1080, 940], [1200, 860], [1340, 838], [1500, 842], [1640, 880], [1760, 940]], c.verticalBetween(830, 960, '#a0792f', '#5c4a24'))
  glow(c, 1420, 720, 260, '#6fd8ff', 0.6)
  c.ellipse(1420, 724, 84, 112, c.radial(['#f2ffff', 0], ['#59c8f2', 0.6], ['#2a6fc0', 1]))
  c.line('M1420 650c46 22 42 100-4 132c-34-18-30-76 6-92', '#dffaff', 6, 'stroke-linecap="round" opacity=".8"')
  c.line('M1360 838c-62-60-64-170 0-224M1480 838c62-60 64-170 0-224', '#7d6a66', 34)
  c.line('M1348 838c-62-60-64-170 0-224', '#a8938a', 12)
  c.shape('M1330 640l30-52 60-24 60 24 30 52-34 12-24-32-32-12-32 12-24 32z', '#8d7a74')
  c.shape('M1420 564l60 24 30 52-34 12-24-32-32-12z', '#665560')
  c.shape(box(1318, 830, 70, 22) + box(1452, 830, 70, 22), '#665560')
  const near = land(c, outline(c, 915, 36, { swell: 1.3 }), c.verticalBetween(860, 1080, '#6b5426', '#2b1f1c'))
  for (const [x, h, leaf] of [[70, 280, '#b8431f'], [210, 190, '#d9702f'], [990, 170, '#d9702f'], [1790, 300, '#b8431f'], [1660, 180, '#d9702f']]) tree(c, x, near[0][1] + 30, h, { trunk: '#4a2a1f', leaf })
  land(c, outline(c, 1000, 26, { swell: 1.6 }), c.verticalBetween(950, 1080, '#3a281d', '#120c12'))
  haze(c, 560, 900, '#ffb050', 0.12)
  birds(c, 1050, 380, 7, '#5c2f4a', 15)
  motes(c, 60, [430, 1010], '#ffd98a', { opacity: 0.65, size: [1.5, 4] })
  finish(c, '#120b14')
}

export const logo = () =>
  badge(
    ['#f0a03c', '#7a2f3a'],
    fill('M20 82c0-9 12-14 28-14s28 5 28 14z', '#4b1f2c') +
      fill('M38 74 42 42h14l4 32z', '#ffe7b8') +
      fill('M49 42h7l4 32H50z', '#d9a06b') +
      fill('M38 43q2-12 11-13 9 1 11 13z', '#b5402f') +
      stroke('M49 40 29 16M49 40 73 20M49 40 70 62M49 40 26 60', '#5a2730', 4) +
      fill('M46 34 30 14l-9 8 18 19zM54 39 76 23l-7-9-21 18zM53 46l18 19 8-8-19-18zM44 44 22 58l6 9 21-17z', '#fff6df') +
      '<circle cx="49" cy="40" r="4.5" fill="#5a2730"/>',
  )
