// Dofus 2.X: rolling turquoise country, a windmill, and an egg set in the hill.
import { lighter } from '../canvas.mjs'
import { birds, cloud, finish, glow, haze, land, mist, motes, outline, sky, stars, sun } from '../landscape.mjs'
import { island, tree, windmill } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'dofus-2x'

export function backdrop(c) {
  sky(c, '#123a63', '#1f8a9c', ['#7fd8c4', 0.55], ['#fdeab2', 0.78])
  stars(c, 70, 260)
  sun(c, 620, 470, 66, '#ffe9a0', { halo: 8 })
  for (const [x, y, w] of [[60, 300, 420], [1050, 240, 520], [1500, 380, 460], [420, 400, 300]]) cloud(c, x, y, w, '#f4fff4', 0.75)
  for (const [x, y, w, d] of [[1640, 300, 250, 170], [330, 250, 150, 110], [1290, 180, 110, 80]]) {
    island(c, x, y, w, d, { top: '#5fcf9a', lit: '#6fa7b0', shade: '#3f7f96' })
    tree(c, x - w * 0.12, y, w * 0.42, { trunk: '#4a6a6f', leaf: '#3fae8d', spread: 0.5 })
  }
  c.shape('M1690 318c10 60 4 130 8 260h26c-4-120 2-200-8-262z', c.vertical(['#e9fff9', 0, 0.9], ['#e9fff9', 1, 0]))
  land(c, outline(c, 640, 60, { swell: 1.8 }), c.verticalBetween(560, 800, '#5fb9b4', '#c9eec4'))
  mist(c, 690, 170, '#f3f6c8', 0.6)
  const second = land(c, outline(c, 720, 70, { swell: 1.5 }), c.verticalBetween(640, 880, '#3fae96', '#9fe0a8'))
  for (const x of [120, 210, 520, 930, 1010]) tree(c, x, 760 - (x % 40), 120, { trunk: '#2f6a63', leaf: '#37a58c' })
  haze(c, 640, 860, '#e2f6bd', 0.4)
  // The mill on its knoll.
  land(c, [[1020, 900], [1120, 800], [1230, 742], [1340, 726], [1460, 748], [1580, 820], [1700, 910]], c.verticalBetween(720, 900, '#8fe08a', '#2f9a80'))
  windmill(c, 1340, 742, 330, { lit: '#fff0d2', shade: '#d8b590', roof: '#d9604c', sail: '#fff7e0', light: '#ffcf5a', turn: 0.35 })
  c.shape('M1190 762q20-60 74-60 54 0 70 56z', '#c98f58')
  c.shape('M1204 790v-34h112v34z', '#f4dcb4')
  c.shape('M1264 790v-34h52v34z', '#d6ab82')
  c.shape('M1222 786v-18h16v18zM1280 790v-24h20v24z', '#7d4a3a')
  const third = land(c, outline(c, 870, 46, { swell: 1.4 }), c.verticalBetween(810, 1000, '#2ba389', '#14706e'))
  // The egg, half asleep in the grass.
  glow(c, 300, 780, 260, '#8ffff0', 0.6)
  c.shape('M300 668c62 0 96 84 96 140 0 56-40 92-96 92s-96-36-96-92c0-56 34-140 96-140z', c.diagonal('#c9fff4', ['#35d0c8', 0.45], '#0c6f86'))
  c.shape('M262 700c-26 28-38 70-38 104 4-44 18-78 46-102z', '#fff', 'opacity=".7"')
  c.shape('M322 742l26 18-8 30-30 4-14-28zM240 812l22 10-4 26-26 2-8-22zM338 836l18 6 0 22-20 6-10-18z', '#0b5f78', 'opacity=".5"')
  for (const [x, h] of [[90, 210], [520, 170], [780, 130], [1650, 200], [1830, 250]]) tree(c, x, 905, h, { trunk: '#12505a', leaf: '#1f8f7c' })
  land(c, outline(c, 960, 40, { swell: 1.2 }), c.verticalBetween(900, 1080, '#0f5f66', '#07222f'))
  birds(c, 900, 380, 6, '#1b6b80', 14)
  motes(c, 70, [420, 1000], lighter('#c9ffe0', 0.3), { opacity: 0.7 })
  finish(c, '#08131c')
}

export const logo = () =>
  badge(
    ['#35d0c0', '#0b4f78'],
    fill('M48 12c20 0 31 26 31 43 0 18-13 29-31 29S17 73 17 55c0-17 11-43 31-43z', '#e8fff6') +
      fill('M48 12c20 0 31 26 31 43 0 18-13 29-31 29 12-5 19-16 19-32 0-15-7-32-19-40z', '#8fe6d8') +
      fill('M55 30l11 9-2 12-12 3-7-11zM29 44l10 4 0 11-10 4-6-8zM48 62l13-2 4 9-9 8-11-4z', '#16919c') +
      fill('M34 22c-7 7-11 17-12 26 4-9 8-17 14-24z', '#fff'),
  )
