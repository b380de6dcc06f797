// Archlord: a burnt field of banners and one great sword, an orcish hold behind.
import { polygon, box } from '../canvas.mjs'
import { beams, birds, cloud, finish, glow, haze, land, mist, motes, outline, peak, sky, stars } from '../landscape.mjs'
import { rampart, silhouette } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'archlord'

const banner = (c, x, base, h, cloth, lean = 0) => {
  c.group(`transform="rotate(${lean} ${x} ${base})"`, () => {
    c.rect(x - 4, base - h, 8, h, '#241c22')
    c.shape(polygon([[x - 4, base - h - 26], [x + 8, base - h], [x - 10, base - h]]), '#8a8288')
    c.shape(`M${x + 4} ${base - h + 10}q${h * 0.12} ${-14} ${h * 0.26} 0t${h * 0.16} 4l${-h * 0.08} ${h * 0.13} ${h * 0.07} ${h * 0.14}q${-h * 0.1} 8 ${-h * 0.2} ${-4}t${-h * 0.21} 6z`, cloth)
    c.shape(`M${x + 4} ${base - h + h * 0.16}q${h * 0.12} ${-14} ${h * 0.26} 0t${h * 0.11} 4l3 8q${-h * 0.06} 4 ${-h * 0.14} ${-6}t${-h * 0.26} 2z`, '#f2c86a', 'opacity=".8"')
  })
}

const fang = (c, x, base, w, h, [lit, shade]) => {
  c.shape(polygon([[x - w / 2, base], [x - w * 0.4, base - h * 0.5], [x + w * 0.1, base - h], [x + w * 0.06, base]]), lit)
  c.shape(polygon([[x + w * 0.06, base], [x + w * 0.1, base - h], [x + w * 0.34, base - h * 0.44], [x + w / 2, base]]), shade)
}

export function backdrop(c) {
  sky(c, '#14181c', '#36402f', ['#8a7a3c', 0.52], ['#f0b04a', 0.72])
  stars(c, 40, 220)
  glow(c, 960, 620, 780, '#ffcf6a', 0.6)
  beams(c, 960, 560, 1200, '#ffe6a0', { count: 12, from: Math.PI, to: Math.PI * 2, opacity: 0.09 })
  for (const [x, y, w] of [[-120, 240, 760], [420, 160, 620], [1120, 200, 760], [1560, 320, 520], [160, 380, 420], [1260, 380, 360]]) cloud(c, x, y, w, '#2a302c', 0.75)
  glow(c, 1540, 200, 260, '#f6ffd8', 0.3)
  c.shape('M1560 60l-50 130 40 10-70 150 120-180-44-10 60-100z', '#fbffe4', 'opacity=".85"')
  const rock = { lit: '#6f6a42', shade: '#474a38', foot: '#d0a050' }
  for (const [x, y, w] of [[140, 460, 280], [420, 560, 200], [1760, 430, 320]]) peak(c, x, y, 800, w, rock)
  mist(c, 720, 190, '#f4c468', 0.5)
  // The hold: fangs of rock bound by walls.
  const bone = ['#5a523c', '#33302c']
  for (const [x, w, h] of [[1180, 90, 260], [1270, 120, 380], [1390, 150, 520], [1510, 120, 400], [1610, 90, 280]]) fang(c, x, 810, w, h, bone)
  rampart(c, 1120, 820, 560, 110, '#453e34', 16)
  c.shape('M1346 820v-56l44-40 44 40v56z', '#1c1918')
  c.shape('M1358 820v-50l32-30 32 30v50z', '#ff9a3c')
  c.line('M1372 820v-62M1390 820v-76M1408 820v-62', '#1c1918', 5)
  c.shape(box(1200, 750, 14, 22) + box(1262, 744, 14, 22) + box(1500, 744, 14, 22) + box(1580, 750, 14, 22) + box(1384, 520, 12, 26) + box(1384, 580, 12, 26), '#ffb84a')
  for (const x of [1150, 1290, 1470, 1630]) c.shape(`M${x} 708l10-60 10 60z`, '#8a7f68')
  haze(c, 640, 860, '#f0b050', 0.25)
  land(c, outline(c, 820, 30, { swell: 1.7 }), c.verticalBetween(780, 940, '#6a5a34', '#37301f'))
  // Ranks on the field.
  for (let i = 0; i < 16; i += 1) {
    const x = 120 + i * 44
    const y = 850 + (i % 3) * 8
    c.shape(`M${x - 9} ${y}v-34q0-8 5-9a6 6 0 1 1 8 0q5 1 5 9v34z`, '#262118')
    c.line(`M${x + 10} ${y}l${i % 2 ? 6 : 2} -80`, '#262118', 3)
  }
  banner(c, 220, 850, 170, '#8f3a2c', -3)
  banner(c, 520, 846, 190, '#8f3a2c', 4)
  banner(c, 740, 856, 160, '#2f5a6a', 2)
  // The sword in its mound, light running down the blade.
  glow(c, 960, 560, 330, '#fff0b0', 0.75)
  land(c, [[700, 980], [800, 910], [880, 876], [960, 864], [1040, 878], [1130, 914], [1230, 980]], c.verticalBetween(860, 980, '#5a4a2f', '#2a231c'))
  c.shape(polygon([[930, 500], [960, 500], [960, 890], [936, 866]]), '#f6f0d8')
  c.shape(polygon([[960, 500], [990, 500], [984, 866], [960, 890]]), '#a89f84')
  c.shape(polygon([[954, 510], [966, 510], [963, 850], [957, 850]]), '#6a6350')
  c.shape('M856 470q20 20 52 18h104q32 2 52-18l-6 40q-22 14-46 8H908q-24 6-46-8z', '#e0a83c')
  c.shape('M960 488h52q32 2 52-18l-6 40q-22 14-46 8h-52z', '#a8742a')
  c.shape(box(948, 380, 24, 108), '#4a2f26')
  c.shape([0, 1, 2, 3].map((i) => polygon([[948, 396 + i * 24], [972, 386 + i * 24], [972, 394 + i * 24], [948, 404 + i * 24]])).join(''), '#8a5a3c')
  c.shape(polygon([[960, 330], [986, 356], [960, 384], [934, 356]]), '#ff5a3c')
  c.shape(polygon([[960, 330], [986, 356], [960, 384]]), '#a8262c')
  c.shape('M900 880l20-26 26 10 14 26-30 14zM976 892l18-26 26 4 12 24-30 12z', '#453a2a')
  banner(c, 140, 960, 330, '#a83a2c', -5)
  banner(c, 1600, 960, 300, '#2f5a6a', 5)
  banner(c, 1800, 980, 390, '#a83a2c', 3)
  silhouette(c, 'rider', 420, 950, 230, '#17130f')
  silhouette(c, 'soldier', 1260, 950, 170, '#17130f')
  land(c, outline(c, 970, 28, { swell: 1.5 }), c.verticalBetween(920, 1080, '#2a231a', '#0b0a0a'))
  c.line('M300 1000l60-110M340 990l-30-90M1420 1000l-40-100M1470 1000l40-120M700 1000l30-80', '#120f0d', 7, 'stroke-linecap="round"')
  birds(c, 720, 400, 9, '#1c1c18', 17)
  motes(c, 120, [320, 1020], '#ffb04a', { opacity: 0.85, size: [1.3, 3.6] })
  finish(c, '#0b0a0a')
}

export const logo = () =>
  badge(
    ['#c99a3c', '#2a2320'],
    fill('M20 30q10-2 14-14 8 10 14 2 6 8 14-2 4 12 14 14-2 12-12 14H32q-10-2-12-14z', '#ffe08a') +
      fill('M48 18q6 8 14-2 4 12 14 14-2 12-12 14H48z', '#d99a34') +
      fill('M41 40h14l-2 38-5 8-5-8z', '#f6f2e4') +
      fill('M48 40h7l-2 38-5 8z', '#a39c8c') +
      fill('M28 42h40v8H28z', '#7a2a24') +
      '<circle cx="48" cy="46" r="6" fill="#ff5a3c"/>',
  )
