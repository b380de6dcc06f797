// Black Desert Online: a caravan under the night's dunes, a lamplit domed city far off.
import { curve } from '../canvas.mjs'
import { finish, glow, haze, land, mist, moon, motes, outline, sky, stars } from '../landscape.mjs'
import { dome, palm, silhouette, tower } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'black-desert-online'

/** A dune with a crest line: moonlit windward side, dark lee side. */
const dune = (c, points, crest, lit, dark) => {
  land(c, points, lit)
  c.shape(`${curve(crest)}L${crest[0][0]} 1080z`, dark)
}

export function backdrop(c) {
  sky(c, '#070a1c', '#101c44', ['#2a3d78', 0.5], ['#8a6a7c', 0.72], '#d9a06a')
  stars(c, 320, 640)
  // The milky way, from corner to corner.
  c.shape('M300-40Q760 240 1920 420V300Q900 130 520-40z', c.diagonal(['#9ab0ff', 0, 0.22], ['#c9a8ff', 0.5, 0.16], ['#9ab0ff', 1, 0]))
  moon(c, 1420, 230, 74, '#f3dfb4')
  land(c, outline(c, 690, 46, { swell: 1.8 }), c.verticalBetween(630, 800, '#4a4a74', '#b88a72'))
  // The city.
  glow(c, 560, 690, 420, '#ffbf62', 0.6)
  const wall = { lit: '#8a6a6f', shade: '#5a455f', cap: '#c8963f', light: '#ffd27a' }
  tower(c, 330, 740, 34, 190, { lit: '#80636c', shade: '#54415c', roof: '#c8963f', roofHeight: 44, light: '#ffd27a', windows: 3 })
  tower(c, 800, 740, 34, 210, { lit: '#80636c', shade: '#54415c', roof: '#c8963f', roofHeight: 44, light: '#ffd27a', windows: 3 })
  dome(c, 560, 744, 190, 110, { ...wall, onion: 0.35 })
  dome(c, 420, 744, 110, 80, { ...wall, onion: 0.3 })
  dome(c, 700, 744, 110, 84, { ...wall, onion: 0.3 })
  dome(c, 250, 748, 84, 50, wall)
  dome(c, 880, 748, 84, 54, wall)
  c.shape('M190 752h740v28H190z', '#5a455f')
  c.shape(Array.from({ length: 24 }, (_, i) => `M${200 + i * 31} 752v-9h16v9z`).join(''), '#5a455f')
  mist(c, 770, 110, '#e0a878', 0.5)
  dune(c, [[-20, 800], [200, 790], [480, 810], [760, 786], [1060, 740], [1320, 700], [1560, 730], [1760, 790], [1940, 810]], [[1320, 700], [1380, 760], [1300, 830], [1420, 900], [1320, 1080], [1940, 1080], [1940, 812], [1760, 790], [1560, 730], [1320, 700]], c.verticalBetween(700, 900, '#b98a66', '#6a4a52'), '#33284a')
  haze(c, 700, 900, '#c98f66', 0.22)
  // Oasis.
  c.ellipse(480, 880, 260, 26, '#3f5a8c')
  c.ellipse(520, 878, 150, 10, '#f3dfb4', 'opacity=".4"')
  for (const [x, h, l] of [[270, 230, -0.1], [340, 170, 0.16], [640, 210, 0.12], [720, 150, -0.08]]) palm(c, x, 880, h, { trunk: '#221c36', leaf: '#26324a', under: '#1d2840', lean: l })
  dune(c, [[-20, 880], [180, 900], [420, 930], [700, 920], [960, 880], [1200, 850], [1460, 880], [1700, 930], [1940, 950]], [[1200, 850], [1250, 900], [1160, 950], [1260, 1010], [1180, 1080], [1940, 1080], [1940, 950], [1700, 930], [1460, 880], [1200, 850]], c.verticalBetween(850, 1060, '#8a6454', '#3a2a3c'), '#1c1830')
  // The caravan follows the crest.
  for (const [x, y, s] of [[900, 892, 120], [1000, 878, 128], [1105, 862, 136], [1216, 853, 150]]) silhouette(c, 'camel', x, y + 4, s * 1.15, '#120f22')
  silhouette(c, 'soldier', 1320, 868, 110, '#120f22')
  glow(c, 1340, 820, 90, '#ffbf62', 0.8)
  c.circle(1342, 818, 5, '#fff0c0')
  dune(c, [[-20, 960], [240, 950], [520, 985], [860, 1010], [1300, 1000], [1940, 1030]], [[240, 950], [300, 990], [240, 1080], [1940, 1080], [1940, 1030], [1300, 1000], [860, 1010], [520, 985], [240, 950]], '#4a3542', '#130f1f')
  motes(c, 90, [560, 1030], '#ffd89a', { opacity: 0.5, size: [1.2, 3] })
  finish(c, '#080814')
}

export const logo = () =>
  badge(
    ['#3f4a8c', '#0c0a1c'],
    fill('M62 16a26 26 0 1 0 18 36 22 22 0 1 1-18-36z', '#f6dfae') +
      fill('M10 66q18-16 36-8 16 8 40-2v20q-10 10-22 10H32q-14 0-22-10z', '#c98f4a') +
      fill('M46 58q16 8 40-2v20q-10 10-22 10H40q12-12 2-18 6-4 4-10z', '#7a4a35') +
      fill('M34 18l3 7 7 3-7 3-3 7-3-7-7-3 7-3z', '#fff3d0'),
  )
