// CS2: a sandstone street with arches, awnings and crates in low sun.
import { box, polygon } from '../canvas.mjs'
import { birds, finish, glow, haze, motes, sky, streaks, sun } from '../landscape.mjs'
import { arches, dome, palm, silhouette, tower } from '../motifs.mjs'
import { badge, fill, stroke } from '../badge.mjs'

export const slug = 'cs2'

const crate = (c, x, base, s) => {
  c.rect(x, base - s, s, s, '#9a6b3d')
  c.rect(x + s * 0.68, base - s, s * 0.32, s, '#6e4828')
  c.line(`M${x} ${base - s}h${s}v${s}h${-s}zM${x} ${base}L${x + s} ${base - s}`, '#5a3a22', s * 0.09)
}

const wall = (c, points, fill, shade) => {
  c.shape(polygon(points), fill)
  if (shade) c.shape(polygon(shade[0]), shade[1])
}

export function backdrop(c) {
  sky(c, '#2f5d86', '#6fa3b8', ['#f3cf98', 0.6], '#ffe2a6')
  sun(c, 1010, 440, 60, '#ffe29a', { halo: 9, strength: 0.7 })
  streaks(c, 9, 140, 380, '#fff0d0', 0.4)
  const far = { lit: '#dcb384', shade: '#bd8f68', cap: '#7fae9f' }
  c.shape(box(560, 560, 900, 260) + box(620, 520, 90, 60) + box(1240, 500, 130, 90) + box(1080, 540, 70, 40), '#d3a97c')
  dome(c, 860, 700, 170, 190, far)
  tower(c, 730, 720, 44, 330, { lit: '#e0b98a', shade: '#bd8f68', roof: '#7fae9f', roofHeight: 60 })
  tower(c, 1180, 720, 40, 300, { lit: '#e0b98a', shade: '#bd8f68', roof: '#7fae9f', roofHeight: 56 })
  haze(c, 470, 800, '#ffdca0', 0.7)
  palm(c, 1090, 790, 250, { trunk: '#8f6d4c', leaf: '#7d8a52', under: '#667446', lean: 0.1 })
  palm(c, 640, 790, 220, { trunk: '#8f6d4c', leaf: '#7d8a52', under: '#667446', lean: -0.08 })
  // The gate at the end of the street.
  c.shape(`M640 850V560h640v290h-170V720a150 150 0 0 0-300 0v130z`, c.vertical('#e6bd88', '#c89662'), 'fill-rule="evenodd"')
  c.shape(box(626, 548, 668, 24) + Array.from({ length: 12 }, (_, i) => box(640 + i * 55, 524, 30, 28)).join(''), '#d4a673')
  c.line('M810 850V720a150 150 0 0 1 300 0v130', '#a87850', 16)
  c.line('M828 850V720a132 132 0 0 1 264 0v130', '#f1cf9e', 5)
  c.shape(arches(680, 700, 2, 34, 76, 60) + arches(1150, 700, 2, 34, 76, 60), '#7a5238')
  // The ground, streaked with light through the gate.
  c.shape(polygon([[640, 846], [1280, 846], [1920, 1080], [0, 1080]]), c.vertical('#e3b67c', '#7a5236'))
  c.shape(polygon([[830, 846], [1090, 846], [1300, 1080], [620, 1080]]), '#ffe3a6', 'opacity=".28"')
  // Left row of houses, in light.
  wall(c, [[0, 130], [420, 330], [520, 330], [680, 440], [680, 848], [0, 1060]], c.horizontal('#b07a4c', '#e2b277'))
  c.shape(polygon([[0, 110], [430, 318], [430, 344], [0, 152]]) + polygon([[430, 344], [684, 446], [684, 466], [430, 370]]), '#8f6040')
  c.shape(`M70 1038V760q60-110 120-50v292zM250 984V742q50-90 98-44v254z`, '#5a3826')
  c.shape(`M86 1034V764q50-86 100-50v288zM262 980V746q40-70 80-40v248z`, '#3d2720')
  c.shape(polygon([[90, 380], [160, 404], [160, 520], [90, 508]]) + polygon([[270, 440], [330, 460], [330, 556], [270, 548]]) + polygon([[470, 500], [512, 514], [512, 590], [470, 584]]), '#5f3d2a')
  c.shape(polygon([[90, 380], [122, 391], [122, 514], [90, 508]]) + polygon([[270, 440], [298, 449], [298, 552], [270, 548]]), '#3f7f86')
  c.shape(polygon([[420, 640], [640, 660], [600, 730], [380, 716]]), '#c4543c')
  c.shape([0, 1, 2].map((i) => polygon([[450 + i * 70, 643 + i * 6], [484 + i * 70, 646 + i * 6], [446 + i * 70, 722 + i * 3], [412 + i * 70, 718 + i * 4]])).join(''), '#f0dcb4')
  // Right row, in shade.
  wall(c, [[1920, 90], [1560, 300], [1430, 300], [1270, 430], [1270, 848], [1920, 1060]], c.horizontal('#a56f4b', '#5d3b31'))
  c.shape(polygon([[1920, 70], [1552, 288], [1552, 314], [1920, 116]]) + polygon([[1552, 300], [1264, 436], [1264, 456], [1552, 330]]), '#4b2f2a')
  c.shape(`M1850 1034V740q-64-110-128-40v292zM1650 970V742q-46-80-92-34v232z`, '#2f1d1c')
  c.shape(polygon([[1830, 360], [1764, 386], [1764, 506], [1830, 494]]) + polygon([[1650, 430], [1600, 450], [1600, 540], [1650, 532]]) + polygon([[1440, 500], [1402, 514], [1402, 586], [1440, 580]]), '#ffc36b', 'opacity=".85"')
  c.shape(polygon([[1296, 640], [1500, 610], [1560, 700], [1330, 716]]), '#2f7f83')
  c.line('M430 350Q850 520 1552 310', '#5a3a2c', 3)
  c.shape(Array.from({ length: 9 }, (_, i) => `M${520 + i * 110} ${388 + Math.round(52 * Math.sin(((i + 1) / 10) * Math.PI))}l44 4-24 50z`).join(''), '#d9694a', 'opacity=".9"')
  for (const [x, y, s] of [[1330, 930, 96], [1420, 930, 70], [1350, 836, 66], [470, 930, 80]]) crate(c, x, y, s)
  c.shape('M560 930a26 10 0 0 0 52 0v-64h-52z', '#4f6a5c')
  silhouette(c, 'soldier', 980, 868, 150, '#4a2d22')
  c.shape(polygon([[958, 868], [1000, 868], [1060, 1010], [960, 1010]]), '#4a2d22', 'opacity=".25"')
  glow(c, 960, 760, 340, '#fff0c0', 0.35)
  birds(c, 1200, 250, 6, '#3d4f60', 14)
  motes(c, 60, [420, 1000], '#fff1c9', { opacity: 0.5, size: [1.2, 3] })
  finish(c, '#140d10')
}

export const logo = () =>
  badge(
    ['#f3b13e', '#1f4a6b'],
    stroke('M48 14v18M48 64v18M14 48h18M64 48h18', '#fff7e0', 7) +
      '<circle cx="48" cy="48" r="24" fill="none" stroke="#fff7e0" stroke-width="7"/>' +
      fill('M48 36a12 12 0 0 1 12 12h-5v14H41V48h-5a12 12 0 0 1 12-12z', '#17263a'),
  )
