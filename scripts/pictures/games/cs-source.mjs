// CS Source: a stepped temple in a rain-green valley, a rope bridge over the cut.
import { box, polygon } from '../canvas.mjs'
import { beams, birds, cloud, finish, glow, haze, land, mist, motes, outline, sky } from '../landscape.mjs'
import { palm, silhouette, tree } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'cs-source'

const temple = (c, x, base, w, steps, [lit, shade]) => {
  const h = w * 0.085
  for (let i = 0; i < steps; i += 1) {
    const half = (w / 2) * (1 - (i * 0.8) / steps)
    const y = base - (i + 1) * h
    c.rect(x - half, y, half * 2, h + 1, lit)
    c.rect(x + half * 0.25, y, half * 0.75, h + 1, shade)
    c.rect(x - half - 5, y, half * 2 + 10, h * 0.22, '#c9c79a')
  }
  const top = base - steps * h
  c.shape(polygon([[x - w * 0.09, base], [x - w * 0.05, top], [x + w * 0.05, top], [x + w * 0.09, base]]), '#d8d3a6')
  c.shape(Array.from({ length: steps * 3 }, (_, i) => box(x - w * 0.085 + (i * w * 0.04) / (steps * 3), base - (i * h) / 3 - 3, w * 0.17 - (i * w * 0.08) / (steps * 3), 3)).join(''), '#8f916c')
  c.shape(box(x - w * 0.12, top - w * 0.12, w * 0.24, w * 0.12), lit)
  c.shape(box(x + w * 0.02, top - w * 0.12, w * 0.1, w * 0.12), shade)
  c.shape(box(x - w * 0.14, top - w * 0.145, w * 0.28, w * 0.03), '#c9c79a')
  c.shape(box(x - w * 0.035, top - w * 0.085, w * 0.07, w * 0.085), '#ffb84a')
}

export function backdrop(c) {
  sky(c, '#1c3a44', '#3f7470', ['#a9c79a', 0.55], ['#f3e5a8', 0.74])
  glow(c, 1230, 380, 620, '#fff0a8', 0.65)
  beams(c, 1230, 300, 1300, '#fff6c4', { count: 10, from: 0.3, to: 2.8, opacity: 0.09 })
  for (const [x, y, w] of [[-60, 220, 620], [640, 170, 520], [1420, 210, 600], [200, 120, 500]]) cloud(c, x, y, w, '#dfe9cf', 0.5)
  land(c, outline(c, 560, 130, { swell: 2.2, rough: 14 }), c.verticalBetween(400, 780, '#5a8c84', '#c9d8a4'))
  mist(c, 640, 220, '#e6eebc', 0.6)
  land(c, outline(c, 660, 90, { swell: 1.8 }), c.verticalBetween(540, 820, '#3d7766', '#9cc08a'))
  temple(c, 1230, 800, 640, 7, ['#a5a67c', '#6f7a62'])
  temple(c, 640, 800, 300, 5, ['#8fa082', '#66796a'])
  mist(c, 790, 150, '#dcecb4', 0.55)
  land(c, outline(c, 810, 24, { swell: 1.4 }), c.verticalBetween(770, 960, '#2f6b50', '#15382f'))
  for (const [x, h] of [[120, 190], [260, 150], [420, 140], [800, 120], [1630, 170], [1780, 200]]) tree(c, x, 850, h, { trunk: '#27463a', leaf: '#2f7a56' })
  // Two cliffs and the bridge between them.
  c.shape(polygon([[0, 800], [300, 850], [430, 880], [400, 960], [440, 1080], [0, 1080]]), c.vertical('#3a5a48', '#0e1f1c'))
  c.shape(polygon([[1920, 800], [1620, 850], [1470, 890], [1510, 970], [1460, 1080], [1920, 1080]]), c.vertical('#345242', '#0c1a19'))
  c.shape(polygon([[0, 790], [300, 842], [430, 872], [430, 890], [300, 868], [0, 830]]) + polygon([[1920, 790], [1620, 842], [1470, 880], [1470, 900], [1620, 870], [1920, 826]]), '#4f8f58')
  c.ellipse(950, 1010, 620, 150, c.radial(['#cfe8bc', 0, 0.4], ['#cfe8bc', 1, 0]))
  c.line('M420 880Q950 990 1480 892', '#3d2c20', 14)
  c.line('M420 820Q950 930 1480 830', '#4a3626', 5)
  c.line(Array.from({ length: 19 }, (_, i) => { const t = (i + 0.5) / 19; const y = 880 + 100 * 2 * t * (1 - t) + 12 * t; return `M${Math.round(420 + 1060 * t)} ${Math.round(y)}v-58` }).join(''), '#4a3626', 3)
  silhouette(c, 'soldier', 860, 926, 130, '#1b241d')
  palm(c, 110, 860, 430, { trunk: '#16291f', leaf: '#1f4a35', under: '#173a2b', lean: 0.12 })
  palm(c, 1820, 850, 480, { trunk: '#14241d', leaf: '#1c4431', under: '#153528', lean: -0.14 })
  palm(c, 1690, 870, 300, { trunk: '#16291f', leaf: '#1f4a35', under: '#173a2b', lean: 0.1 })
  c.line(Array.from({ length: 70 }, () => { const x = Math.round(c.random.between(0, 1920)); const y = Math.round(c.random.between(0, 900)); return `M${x} ${y}l-8 34` }).join(''), '#efffe0', 1.6, 'opacity=".28"')
  birds(c, 880, 330, 6, '#244a45', 16)
  haze(c, 700, 1080, '#0f2a26', 0.3)
  motes(c, 40, [420, 1000], '#f4ffc9', { opacity: 0.5 })
  finish(c, '#08110f')
}

export const logo = () =>
  badge(
    ['#8fb56a', '#1d3f3a'],
    fill('M20 78V66h8V54h8V42h6V28h12v14h6v12h8v12h8v12z', '#e9e3b4') +
      fill('M48 28h6v14h6v12h8v12h8v12H48z', '#a9a878') +
      fill('M43 78 45 42h6l2 36z', '#3a5b4a') +
      fill('M44 20h8v8h-8z', '#ffb84a') +
      fill('M48 10l3 6-3 5-3-5z', '#ffe08a') +
      fill('M16 78h64v5H16z', '#12302c'),
  )
