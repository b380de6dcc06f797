// DayZ: fog between pines, a water tower, a road nobody drives.
import { box, polygon } from '../canvas.mjs'
import { birds, finish, glow, haze, land, mist, motes, outline, pines, sky, cloud } from '../landscape.mjs'
import { silhouette } from '../motifs.mjs'
import { badge, fill, stroke } from '../badge.mjs'

export const slug = 'dayz'

export function backdrop(c) {
  sky(c, '#22333a', '#4a6467', ['#93a69a', 0.5], ['#dfe0bf', 0.7])
  glow(c, 1120, 520, 520, '#fff4c8', 0.6)
  c.circle(1120, 500, 54, '#fffbe6', 'opacity=".75"')
  for (const [x, y, w] of [[-80, 200, 760], [560, 150, 620], [1260, 240, 760], [240, 330, 560], [1500, 130, 520]]) cloud(c, x, y, w, '#c3cfc6', 0.35)
  land(c, outline(c, 600, 90, { swell: 1.7 }), c.verticalBetween(480, 740, '#7f968f', '#c9d0b4'))
  const second = land(c, outline(c, 670, 60, { swell: 2 }), c.verticalBetween(560, 800, '#637d77', '#b8c2a8'))
  pines(c, second, 60, [44, 80], '#637d77')
  mist(c, 720, 200, '#e3e6c9', 0.7)
  // Village roofs and the church that still stands.
  c.shape(polygon([[880, 760], [880, 690], [930, 650], [980, 690], [980, 760]]) + polygon([[1010, 770], [1010, 710], [1050, 680], [1090, 710], [1090, 770]]) + polygon([[1140, 770], [1140, 716], [1190, 684], [1240, 716], [1240, 770]]), '#566b68')
  c.shape(box(1290, 600, 44, 170) + polygon([[1282, 602], [1312, 500], [1342, 602]]) + box(1334, 690, 90, 80) + polygon([[1330, 692], [1344, 650], [1414, 650], [1432, 692]]) + box(1310, 470, 4, 34) + box(1302, 480, 20, 4), '#4f6563')
  c.shape(box(904, 706, 14, 18) + box(1160, 730, 12, 16), '#ffcf7a')
  // The water tower.
  c.line('M1560 800l26-280M1720 800l-26-280M1570 700h142M1578 610h126M1570 700l134-90M1712 700l-134-90M1562 790l150-90M1718 790l-150-90', '#39504f', 9)
  c.shape('M1566 520q-8-120 14-136h120q22 16 14 136-74 36-148 0z', c.horizontal('#7d938c', ['#5a736f', 0.5], '#2f4546'))
  c.shape('M1572 386q68-58 136 0z', '#46605e')
  c.shape('M1562 512q78 40 156 0v12q-78 40-156 0z', '#8a5f45', 'opacity=".7"')
  c.shape('M1590 400l14 108-18-6zM1654 400l8 120-16 2z', '#8a5f45', 'opacity=".4"')
  mist(c, 800, 170, '#dfe5cb', 0.6)
  const third = land(c, outline(c, 800, 40, { swell: 1.6 }), c.verticalBetween(740, 960, '#38524c', '#1d302e'))
  pines(c, third, 20, [120, 200], '#33504a', { to: 620 })
  pines(c, third, 18, [120, 210], '#33504a', { from: 1330 })
  mist(c, 880, 140, '#c8d4bf', 0.4)
  // The road and its wreck.
  land(c, outline(c, 900, 14, { swell: 1.2 }), c.verticalBetween(870, 1080, '#2a3d36', '#0d1716'))
  c.shape('M930 896q20-6 60 0c-30 50-160 90-290 184h640c-150-90-300-130-350-184z', c.vertical('#5b6a64', '#1b2625'))
  c.shape('M958 910l4 0 2 12-8 0zM954 936l12 0 4 22-20 0zM944 980l24 0 10 44-42 0z', '#d8d9b8', 'opacity=".6"')
  c.shape('M1150 968l14-44 40-30h90l46 34 44 10 8 30-10 18h-230z', '#2f3f40')
  c.shape('M1186 926l26-22h38v22zM1260 904h30l30 22h-60z', '#8fa39a', 'opacity=".6"')
  c.shape('M1176 986a22 22 0 1 0 44 0zM1320 986a22 22 0 1 0 44 0z', '#0d1514')
  silhouette(c, 'soldier', 880, 990, 190, '#121c1b')
  pines(c, 1010, 7, [330, 520], '#142422', { from: -60, to: 560 })
  pines(c, 1010, 6, [330, 560], '#142422', { from: 1480, to: 1980 })
  haze(c, 760, 1080, '#22332f', 0.35)
  birds(c, 700, 400, 9, '#33464a', 16)
  motes(c, 60, [400, 1000], '#f2f2d8', { opacity: 0.35, size: [1.2, 3] })
  finish(c, '#0a100f')
}

export const logo = () =>
  badge(
    ['#7f9a7c', '#1b2b29'],
    fill('M48 12c18 0 30 12 30 29 0 9-4 15-9 19v11a5 5 0 0 1-5 5H32a5 5 0 0 1-5-5V60c-5-4-9-10-9-19 0-17 12-29 30-29z', '#eef0dc') +
      fill('M48 12c18 0 30 12 30 29 0 9-4 15-9 19v11a5 5 0 0 1-5 5H48z', '#c3c9ac') +
      '<circle cx="36" cy="44" r="9" fill="#22332f"/><circle cx="60" cy="44" r="9" fill="#22332f"/>' +
      fill('M48 54l5 10H43z', '#22332f') +
      stroke('M41 76V67M48 77V68M55 76V67', '#22332f', 4) +
      stroke('M60 16l-6 10 7 6', '#8f2f2a', 3.500),
  )
