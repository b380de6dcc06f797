// Lineage 2: a white tower city on a cliff under a giant violet moon.
import { polygon } from '../canvas.mjs'
import { birds, cloud, finish, glow, haze, land, mist, moon, motes, outline, peak, pines, sky, stars, water } from '../landscape.mjs'
import { arches, rampart, silhouette, tower } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'lineage-2'

export function backdrop(c) {
  sky(c, '#120d33', '#33206b', ['#7a4aa0', 0.52], ['#e39ab0', 0.74])
  stars(c, 170, 560)
  moon(c, 620, 380, 210, '#d9c4f2', { halo: 3, strength: 0.5 })
  for (const [x, y, w] of [[240, 480, 520], [700, 560, 420], [1380, 380, 460]]) cloud(c, x, y, w, '#d9b4e6', 0.5)
  const far = { lit: '#8a6ab4', shade: '#5a4590', foot: '#c990b4' }
  for (const [x, y, w] of [[140, 560, 280], [420, 610, 220], [880, 580, 260], [1800, 500, 320]]) peak(c, x, y, 800, w, far)
  mist(c, 730, 190, '#f0c0cc', 0.6)
  water(c, 790, c.vertical('#b98abf', '#2b1f5a'), '#f6e2ff', { x: 620, width: 420, count: 60, opacity: 0.5 })
  // The cliff and its terraces.
  c.shape(polygon([[1000, 1000], [1030, 860], [1080, 800], [1120, 700], [1190, 660], [1560, 640], [1660, 700], [1720, 790], [1800, 830], [1880, 1000]]), c.vertical('#6a5596', '#2a1f55'))
  c.shape(polygon([[1400, 1000], [1430, 760], [1500, 650], [1560, 640], [1660, 700], [1720, 790], [1800, 830], [1880, 1000]]), '#241a4b', 'opacity=".55"')
  const white = { lit: '#efe2f4', shade: '#a58cc4', roof: '#6a4ac0', light: '#ffcf6a' }
  glow(c, 1380, 480, 420, '#ffd9a0', 0.35)
  tower(c, 1380, 660, 110, 420, { ...white, roofHeight: 210, windows: 5, flag: '#ffcf6a' })
  tower(c, 1290, 660, 60, 300, { ...white, roofHeight: 130, windows: 3 })
  tower(c, 1472, 660, 60, 320, { ...white, roofHeight: 130, windows: 4 })
  tower(c, 1220, 690, 52, 210, { ...white, roofHeight: 110, windows: 2, flag: '#e56a8a' })
  tower(c, 1550, 680, 52, 230, { ...white, roofHeight: 110, windows: 3, flag: '#e56a8a' })
  rampart(c, 1180, 700, 420, 90, '#cdb8de', 12)
  c.shape(arches(1206, 700, 8, 26, 60, 48), '#6a549a')
  tower(c, 1150, 790, 58, 160, { ...white, roofHeight: 80, windows: 2 })
  tower(c, 1680, 800, 58, 170, { ...white, roofHeight: 80, windows: 2 })
  rampart(c, 1100, 800, 640, 76, '#a791c4', 14)
  c.shape(arches(1130, 800, 12, 24, 44, 50), '#4a3a7c')
  // A long bridge to the near shore.
  c.shape('M420 812h700v22H420z', '#8f78b0')
  c.shape(Array.from({ length: 7 }, (_, i) => `M${430 + i * 98} 834h26q4 60 10 110h-46q6-50 10-110z`).join(''), '#5c4a8c')
  for (let x = 460; x < 1100; x += 98) { glow(c, x, 796, 30, '#ffd27a', 0.7); c.circle(x, 798, 4, '#fff0c0') }
  silhouette(c, 'dragon', 930, 300, 260, '#1f1549')
  mist(c, 850, 150, '#e8b8d4', 0.4)
  const shore = land(c, [[-20, 850], [160, 836], [330, 830], [460, 850], [620, 930], [860, 990], [1300, 1000], [1940, 960]], c.verticalBetween(820, 1080, '#35265f', '#120c2b'))
  pines(c, shore, 18, [90, 210], '#1f1647', { to: 520 })
  pines(c, 1040, 12, [120, 220], '#160f36', { from: 1500, to: 1960 })
  haze(c, 820, 1080, '#1b1240', 0.3)
  birds(c, 1100, 500, 6, '#2b1c5c', 14)
  motes(c, 80, [380, 1000], '#f4d0ff', { opacity: 0.6 })
  finish(c, '#0b081c')
}

export const logo = () =>
  badge(
    ['#8a5ae0', '#1d1245'],
    fill('M48 10l6 10v34l-6 8-6-8V20z', '#f4efff') +
      fill('M48 10l6 10v34l-6 8z', '#b9a3e6') +
      fill('M30 54h36l-4 8H34z', '#ffcf6a') +
      fill('M44 62h8v16l-4 6-4-6z', '#ffcf6a') +
      fill('M38 50C18 46 12 30 12 20c10 8 20 8 26 12zM58 50c20-4 26-20 26-30-10 8-20 8-26 12z', '#d9c4ff') +
      fill('M38 50C26 46 20 38 18 32c8 4 14 4 20 8zM58 50c12-4 18-12 20-18-8 4-14 4-20 8z', '#9a78dc'),
  )
