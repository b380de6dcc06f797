// Garry's Mod: a workshop full of props, one of them lifted by a blue beam.
import { box, polygon } from '../canvas.mjs'
import { finish, glow, motes } from '../landscape.mjs'
import { gear } from '../motifs.mjs'
import { badge, fill, stroke } from '../badge.mjs'

export const slug = 'garrys-mod'

const crate = (c, x, base, s) => {
  c.rect(x, base - s, s, s, '#c98f52')
  c.rect(x + s * 0.7, base - s, s * 0.3, s, '#8f5f38')
  c.line(`M${x + s * 0.05} ${base - s * 0.05}h${s * 0.9}v${-s * 0.9}h${-s * 0.9}zM${x} ${base - s}l${s} ${s}`, '#6e4528', s * 0.08)
}

const barrel = (c, x, base, w, colour, shade) => {
  const h = w * 1.4
  c.rect(x, base - h, w, h, colour)
  c.rect(x + w * 0.62, base - h, w * 0.38, h, shade)
  c.shape(box(x - 4, base - h, w + 8, 8) + box(x - 4, base - h * 0.66, w + 8, 7) + box(x - 4, base - h * 0.33, w + 8, 7) + box(x - 4, base - 8, w + 8, 8), shade)
}

export function backdrop(c) {
  c.rect(0, 0, 1920, 1080, c.vertical('#1c2a44', '#33506e', ['#5f7f8f', 0.76], '#2a3a50'))
  // A long wall of panels with a wide window on the evening.
  c.line(Array.from({ length: 13 }, (_, i) => `M${i * 160} 0V820`).join('') + 'M0 250H1920M0 540H1920', '#223551', 3, 'opacity=".7"')
  c.shape('M640 130h640v420h-640z', '#18263f')
  c.shape('M660 150h600v380h-600z', c.vertical('#2c4f96', '#e58f7a', '#ffd795'))
  glow(c, 960, 470, 330, '#ffe2a0', 0.8)
  c.circle(960, 450, 46, '#fff2c6')
  c.shape('M660 530v-60q80-50 170-20t150-10 140-10 140 30v70z', '#3c5a7a')
  c.shape('M660 530v-30q120-40 240-14t360-16v60z', '#2b4464')
  c.shape(box(660, 330, 600, 10) + box(855, 150, 10, 380) + box(1055, 150, 10, 380), '#18263f')
  c.shape(polygon([[660, 560], [1260, 560], [1560, 1080], [360, 1080]]), '#ffdf9e', 'opacity=".1"')
  // Hanging lamps.
  for (const x of [300, 960, 1620]) {
    c.shape(box(x - 2, 0, 4, 90), '#111b2d')
    c.shape(polygon([[x - 60, 130], [x - 22, 84], [x + 22, 84], [x + 60, 130]]), '#e8b23c')
    c.shape(polygon([[x + 8, 84], [x + 22, 84], [x + 60, 130], [x + 20, 130]]), '#a6762a')
    c.shape(polygon([[x - 56, 132], [x + 56, 132], [x + 330, 820], [x - 330, 820]]), c.vertical(['#ffe6a0', 0, 0.3], ['#ffe6a0', 1, 0]))
    c.ellipse(x, 132, 46, 8, '#fff3cc')
  }
  // Shelves with tools on the left, gears turning on the right.
  c.shape(box(90, 300, 420, 260), '#2b3f5c')
  c.shape(Array.from({ length: 60 }, (_, i) => box(108 + (i % 12) * 34, 318 + Math.floor(i / 12) * 48, 5, 5)).join(''), '#1b2b45')
  c.shape('M140 340h26v20l-6 8v100h-14V368l-6-8zM210 336q30-10 44 12l-14 6q-8-10-18-8v124h-12zM300 340l60 0 0 40-60 0zM322 380h16v92h-16z', '#d9664a')
  c.shape('M398 344a26 26 0 1 0 26 44v86h14v-86a26 26 0 0 0 22-44l-14 18h-22z', '#c8d4dc')
  c.shape(gear(1500, 400, 110, 12, 0.32), '#6f8fa3')
  c.shape(gear(1500, 400, 62, 12, 0.5), '#4a6a82')
  c.shape(gear(1662, 320, 76, 9, 0.34), '#e8a33c')
  c.shape(gear(1640, 500, 88, 10, 0.34), '#4f7088')
  // Floor with a grid, as on a builder's map.
  c.shape('M0 820h1920v260H0z', c.vertical('#4a6274', '#141d2e'))
  c.line(Array.from({ length: 17 }, (_, i) => `M${960 + (i - 8) * 150} 820L${960 + (i - 8) * 420} 1080`).join('') + 'M0 850H1920M0 896H1920M0 966H1920', '#7fa0b2', 2, 'opacity=".35"')
  c.shape(box(0, 812, 1920, 10), '#1b2b45')
  // The bench.
  c.shape(box(60, 700, 470, 22) + box(90, 720, 26, 130) + box(470, 720, 26, 130), '#8a5a38')
  c.shape(box(60, 716, 470, 8), '#5f3c28')
  crate(c, 110, 700, 90)
  barrel(c, 240, 700, 66, '#d9523c', '#97342c')
  c.shape('M340 700v-56h96v56zM352 644l12-40h48l12 40z', '#3f5c74')
  c.shape(box(352, 656, 70, 30), '#7ff0c8')
  // Props on the floor.
  crate(c, 600, 900, 120)
  crate(c, 640, 780, 90)
  barrel(c, 1560, 930, 110, '#3f7fb0', '#285878')
  barrel(c, 1690, 900, 100, '#d9a13c', '#97702c')
  c.shape('M1390 910a48 48 0 1 0 96 0 48 48 0 1 0-96 0zM1412 910a26 26 0 1 0 52 0 26 26 0 1 0-52 0z', '#1a2335', 'fill-rule="evenodd"')
  c.circle(1438, 910, 14, '#c8d4dc')
  // The beam and the floating bathtub.
  glow(c, 1150, 650, 280, '#5fd0ff', 0.6)
  c.line('M820 946Q1010 880 1060 770T1150 690', '#5fd0ff', 26, 'opacity=".25" stroke-linecap="round"')
  c.line('M820 946Q1010 880 1060 770T1150 690', '#d9f6ff', 7, 'stroke-linecap="round"')
  c.group('transform="rotate(-10 1160 640)"', () => {
    c.shape('M1040 590h260q16 0 12 16-10 84-70 88h-130q-66-6-84-88-4-16 12-16z', '#f1f6f8')
    c.shape('M1180 590h120q16 0 12 16-10 84-70 88h-90q40-40 28-104z', '#b7c8d4')
    c.shape('M1084 694l-10 22h18l12-22zM1240 694l12 22h-18l-10-22zM1278 590v-34q0-16-18-16h-14v10h12q8 0 8 8v32z', '#e8b23c')
    c.shape('M1056 592a16 16 0 0 1 30 0 20 20 0 0 1 40 0 14 14 0 0 1 28 0 18 18 0 0 1 36 0z', '#bdeaff')
  })
  c.shape('M740 1000l24-60 60-16 22 20-8 26-50 12-12 30z', '#1d2b44')
  c.circle(828, 940, 12, '#8fe4ff')
  // Balloons under the roof.
  for (const [x, y, colour] of [[610, 300, '#e85a6a'], [560, 230, '#f2b84a'], [1340, 260, '#6ad09a']]) {
    c.line(`M${x} ${y + 50}q14 60-6 120t10 150`, '#c8d4dc', 2, 'opacity=".6"')
    c.shape(`M${x} ${y + 56}q-44-30-44-66a44 46 0 0 1 88 0q0 36-44 66z`, colour)
    c.ellipse(x - 16, y - 22, 8, 14, '#fff', 'opacity=".55"')
  }
  motes(c, 70, [140, 980], '#ffeec0', { opacity: 0.45, size: [1.2, 3] })
  finish(c, '#0a0e1a')
}

export const logo = () =>
  badge(
    ['#3fa0e8', '#17305f'],
    fill(gear(48, 48, 34, 8, 0.42), '#f4f8fb') +
      stroke('M42 54 62 34', '#ffb43c', 10) +
      fill('M58 24a14 14 0 0 1 12-4l-7 8 5 5 8-7a14 14 0 0 1-20 13z', '#ffb43c') +
      '<circle cx="41" cy="55" r="7" fill="#ffb43c"/><circle cx="41" cy="55" r="3" fill="#17305f"/>',
  )
