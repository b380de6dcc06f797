// World of Warcraft: a fortress among snow peaks under northern lights.
import { curve, polygon } from '../canvas.mjs'
import { finish, glow, haze, land, mist, moon, motes, outline, peak, pines, sky, stars } from '../landscape.mjs'
import { rampart, silhouette, tower } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'world-of-warcraft'

export function backdrop(c) {
  sky(c, '#0b1233', '#16306a', ['#3f78a8', 0.55], ['#a9cfd8', 0.8])
  stars(c, 190, 520)
  const veil = (y, rise, colour) => {
    const edge = outline(c, y, 60, { step: 110, swell: 1.6 })
    const data = curve([...edge, ...edge.map(([x, ey]) => [x, ey - rise]).reverse()]) + 'z'
    c.shape(data, c.vertical([colour, 0, 0], [colour, 0.75, 0.42], [colour, 1, 0]))
  }
  veil(300, 240, '#55f0c0')
  veil(360, 190, '#7aa8ff')
  moon(c, 520, 210, 62, '#dfeaf7')
  const far = { lit: '#8fb4cf', shade: '#5f89b0', foot: '#a5c9d6', snow: '#e3f2f8' }
  for (const [x, y, w] of [[120, 430, 300], [430, 470, 260], [820, 400, 340], [1190, 450, 260], [1780, 400, 330]]) peak(c, x, y, 800, w, far)
  mist(c, 700, 240, '#c4e2e8', 0.6)
  const near = { lit: '#6e93b8', shade: '#38588a', foot: '#7fa8c0', snow: '#f3fbff', snowline: 0.55 }
  peak(c, 260, 360, 900, 430, near)
  peak(c, 1640, 330, 920, 420, near)
  peak(c, 1330, 520, 900, 330, { ...near, lit: '#5c80a8', shade: '#2f4d7c' })
  haze(c, 560, 860, '#bcdde6', 0.62)
  // The fortress stands on a shoulder of rock before the peaks.
  c.shape(polygon([[820, 1000], [900, 850], [960, 800], [1000, 760], [1420, 752], [1480, 800], [1560, 850], [1660, 1000]]), c.vertical('#33507a', '#223559'))
  const stone = { lit: '#6f86ab', shade: '#40557f', roof: '#2f4f9a', light: '#ffc860' }
  glow(c, 1200, 640, 330, '#ffcf7a', 0.28)
  tower(c, 1200, 780, 92, 330, { ...stone, roofHeight: 170, windows: 4, flag: '#e8b64a' })
  tower(c, 1110, 780, 62, 230, { ...stone, roofHeight: 110, windows: 3 })
  tower(c, 1292, 780, 62, 250, { ...stone, roofHeight: 110, windows: 3, flag: '#e8b64a' })
  rampart(c, 1020, 790, 370, 96, '#5a719b')
  tower(c, 1030, 800, 74, 170, { ...stone, roofHeight: 96, windows: 2 })
  tower(c, 1388, 800, 74, 160, { ...stone, roofHeight: 96, windows: 2 })
  c.shape('M1176 792v-44a26 26 0 0 1 52 0v44z', '#1a2748')
  c.shape('M1184 792v-42a18 18 0 0 1 36 0v42z', '#ffb84d')
  silhouette(c, 'dragon', 800, 330, 150, '#17254c')
  mist(c, 830, 150, '#cfe6ee', 0.5)
  const slope = land(c, outline(c, 880, 44, { swell: 1.5 }), c.verticalBetween(820, 1080, '#2b4a70', '#12203c'))
  pines(c, slope, 56, [60, 120], '#1c3459')
  const front = land(c, outline(c, 980, 50, { swell: 1.2 }), c.verticalBetween(900, 1080, '#14233f', '#0a0f1f'))
  pines(c, front, 34, [110, 230], '#0d1830')
  motes(c, 110, [120, 1040], '#fff', { size: [1.2, 3.6], opacity: 0.65 })
  finish(c, '#0a0c18')
}

export const logo = () =>
  badge(
    ['#3d6fd1', '#14204f'],
    fill('M48 13c15 0 27 5 27 5v27c0 19-13 31-27 38-14-7-27-19-27-38V18s12-5 27-5z', '#f0c25a') +
      fill('M48 13c15 0 27 5 27 5v27c0 19-13 31-27 38z', '#c48b2c') +
      fill('M48 21c11 0 20 3 20 3v21c0 15-9 23-20 29-11-6-20-14-20-29V24s9-3 20-3z', '#1d3270') +
      fill('M48 30 66 60H30z', '#dcecf9') +
      fill('M48 30 66 60H50z', '#8fb0dc') +
      fill('M37 48l6 5 5-4 5 5 7-4 6 10H30z', '#5b84c4'),
  )
