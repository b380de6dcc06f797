// Aion: torn islands in a bright abyss, a broken tower of light, wings.
import { polygon } from '../canvas.mjs'
import { beams, birds, cloud, finish, glow, mist, motes, sky, stars, streaks } from '../landscape.mjs'
import { island, tower, tree, crystal } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'aion'

const feathers = (x, y, side, size) => {
  let data = ''
  for (let i = 0; i < 7; i += 1) {
    const angle = -1.25 + i * 0.27
    const length = size * (1 - i * 0.1)
    const [tx, ty] = [x + side * Math.cos(angle) * length, y + Math.sin(angle) * length]
    const [nx, ny] = [-Math.sin(angle) * size * 0.13, Math.cos(angle) * size * 0.13]
    data += `M${Math.round(x)} ${Math.round(y + i * size * 0.05)}Q${Math.round((x + tx) / 2 - side * nx)} ${Math.round((y + ty) / 2 - ny * 1.6)} ${Math.round(tx)} ${Math.round(ty)}Q${Math.round((x + tx) / 2 + side * nx)} ${Math.round((y + ty) / 2 + ny)} ${Math.round(x)} ${Math.round(y + (i + 1) * size * 0.06)}z`
  }
  return data
}

export function backdrop(c) {
  sky(c, '#171a55', '#3a56b8', ['#7fb8ea', 0.5], ['#e6d4f4', 0.78], '#a98ad0')
  stars(c, 150, 420)
  glow(c, 1080, 460, 760, '#eafcff', 0.75)
  beams(c, 1080, 460, 1300, '#fff', { count: 14, opacity: 0.09 })
  streaks(c, 14, 200, 640, '#fff', 0.35)
  // The tower of light, broken in the middle.
  c.shape('M1066 0h28v1080h-28z', c.horizontal(['#bff4ff', 0, 0], ['#fff', 0.5, 0.95], ['#bff4ff', 1, 0]))
  const stone = ['#b9c4ee', '#6f7fc4']
  c.shape(polygon([[1000, 0], [1160, 0], [1148, 190], [1122, 260], [1100, 210], [1076, 300], [1054, 220], [1026, 250], [1012, 180]]), stone[0])
  c.shape(polygon([[1096, 0], [1160, 0], [1148, 190], [1122, 260], [1100, 210]]), stone[1])
  c.shape(polygon([[980, 1080], [1014, 700], [1040, 640], [1062, 700], [1084, 610], [1110, 690], [1140, 650], [1156, 720], [1184, 1080]]), c.vertical(stone[0], '#6a70bc'))
  c.shape(polygon([[1090, 1080], [1092, 640], [1110, 690], [1140, 650], [1156, 720], [1184, 1080]]), c.vertical(stone[1], '#3f4796'))
  c.line('M1010 90h144M1014 150h136M1006 760h158M1000 830h170M1018 40h130', '#e9f0ff', 6, 'opacity=".6"')
  for (const [x, y, s] of [[990, 400, 30], [1170, 360, 40], [1140, 470, 24], [1010, 510, 22], [1190, 560, 18], [960, 320, 18]]) { c.shape(polygon([[x, y - s], [x + s * 0.8, y - s * 0.2], [x + s * 0.4, y + s], [x - s * 0.6, y + s * 0.5], [x - s * 0.7, y - s * 0.4]]), stone[0]); c.shape(polygon([[x, y - s], [x + s * 0.8, y - s * 0.2], [x + s * 0.4, y + s]]), stone[1]) }
  c.line('M820 520a260 74 0 0 0 520 0', '#eaffff', 7, 'opacity=".75"')
  c.line('M760 540a320 100 0 0 0 640 0', '#eaffff', 3, 'opacity=".5"')
  for (const [x, y, w] of [[-60, 700, 700], [560, 760, 620], [1240, 740, 760], [200, 560, 420], [1480, 520, 460]]) cloud(c, x, y, w, '#fff', 0.6)
  // Islands: near ones carry temples and trees.
  const rock = { top: '#8fd0b0', lit: '#9aa4dc', shade: '#5a64ae' }
  island(c, 1540, 330, 190, 130, rock)
  tree(c, 1520, 326, 90, { trunk: '#5a64ae', leaf: '#6fc4b0' })
  island(c, 690, 300, 130, 90, rock)
  island(c, 380, 560, 520, 300, { ...rock, top: '#6fc0a4', lit: '#7f8ad0', shade: '#434c9a' })
  const marble = { lit: '#f6f4ff', shade: '#b0b4e4', roof: '#5f7fe0', light: '#ffdb8a' }
  tower(c, 380, 556, 70, 220, { ...marble, roofHeight: 110, windows: 3, flag: '#ffd27a' })
  tower(c, 300, 560, 46, 130, { ...marble, roofHeight: 70, windows: 2 })
  tower(c, 462, 560, 46, 140, { ...marble, roofHeight: 70, windows: 2 })
  tree(c, 200, 556, 130, { trunk: '#434c9a', leaf: '#4fae9c' })
  tree(c, 560, 556, 120, { trunk: '#434c9a', leaf: '#4fae9c' })
  island(c, 1600, 660, 600, 320, { top: '#5aa896', lit: '#6a70c0', shade: '#383e8a' })
  for (const [x, w, h, l] of [[1480, 46, 200, -0.1], [1540, 60, 290, 0.04], [1610, 40, 170, 0.16]]) crystal(c, x, 656, w, h, { lit: '#d9fbff', shade: '#6fc4f0', lean: l })
  glow(c, 1540, 560, 220, '#9ff0ff', 0.5)
  tree(c, 1720, 652, 170, { trunk: '#383e8a', leaf: '#3f9a90' })
  c.shape('M214 580c8 100-4 200 6 380h24c-8-180 4-280-6-380z', c.vertical(['#eaffff', 0, 0.9], ['#eaffff', 1, 0]))
  // A winged figure crosses the light.
  c.shape(feathers(830, 400, 1, 110) + feathers(826, 400, -1, 110), '#fff')
  c.shape('M822 372a9 9 0 1 1 12 0l6 34-4 40-4 50-6 0-6-50-4-40z', '#2f3a8a')
  mist(c, 880, 240, '#d8c8f4', 0.6)
  for (const [x, y, w] of [[-100, 960, 760], [500, 1000, 700], [1100, 970, 900]]) cloud(c, x, y, w, '#6a62b4', 0.9)
  birds(c, 700, 480, 6, '#5a64ae', 13)
  motes(c, 110, [180, 1000], '#fff', { opacity: 0.75 })
  finish(c, '#0c0c26', { foot: 0.9 })
}

export const logo = () =>
  badge(
    ['#6fb4f4', '#2a2480'],
    fill('M45 60C22 62 12 44 10 18c6 8 12 10 18 11 8 2 15 9 17 19z', '#fff') +
      fill('M51 60c23 2 33-16 35-42-6 8-12 10-18 11-8 2-15 9-17 19z', '#c3d0fa') +
      fill('M45 66c-14 4-24-2-29-14 10 4 22 2 29-2z', '#d9e6ff') +
      fill('M51 66c14 4 24-2 29-14-10 4-22 2-29-2z', '#9fb0ee') +
      fill('M48 36l7 14-7 34-7-34z', '#ffdf8a') +
      fill('M48 36l7 14-7 34z', '#e0a33c'),
  )
