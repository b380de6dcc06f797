// GTA V roleplay: a coast city at dusk, palms, neon and a long bridge.
import { box, polygon } from '../canvas.mjs'
import { birds, finish, glow, haze, land, outline, sky, skyline, stars, streaks, water } from '../landscape.mjs'
import { palm } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'gta-v-fivem'

export function backdrop(c) {
  sky(c, '#1a1145', '#5b2a86', ['#d6437f', 0.5], ['#ff8a5c', 0.66], '#ffd28a')
  stars(c, 90, 320)
  glow(c, 1240, 640, 760, '#ffb05c', 0.7)
  c.circle(1240, 610, 190, c.vertical('#fff1b8', ['#ffb36b', 0.6], '#ff5f8a'))
  c.shape(Array.from({ length: 5 }, (_, i) => box(1030, 640 + i * 30, 420, 5 + i * 3)).join(''), '#f0688a', 'opacity=".75"')
  streaks(c, 16, 250, 560, '#ff9db0', 0.35)
  land(c, outline(c, 700, 60, { swell: 1.4 }), c.verticalBetween(620, 780, '#a2437f', '#f08a78'))
  haze(c, 560, 780, '#ffb27a', 0.5)
  skyline(c, 770, { widths: [26, 64], heights: [40, 250], fill: c.verticalBetween(470, 780, '#6d2f7c', '#c25a80'), lights: ['#ffd79a'], share: 0.14, cell: [9, 15], shape: (t) => 0.25 + 0.95 * Math.exp(-(((t - 0.36) / 0.16) ** 2)) + 0.5 * Math.exp(-(((t - 0.82) / 0.12) ** 2)) })
  skyline(c, 790, { widths: [40, 88], heights: [70, 330], fill: c.verticalBetween(440, 800, '#37195c', '#6b2a6a'), lights: ['#ffe3a0', '#ff7ab8', '#6fe8ff'], share: 0.3, cell: [11, 18], shape: (t) => 0.2 + 1.1 * Math.exp(-(((t - 0.3) / 0.12) ** 2)) })
  water(c, 786, c.vertical('#7a2f72', '#2a1244'), '#ffc48a', { x: 1240, width: 420, count: 70, opacity: 0.55, floor: 960 })
  // A suspension bridge crosses the bay.
  const deck = 748
  let ropes = ''
  const cable = []
  for (let x = 1010; x <= 1920; x += 26) {
    const t = ((x - 1010) % 455) / 455
    const y = deck - 22 - 150 * (2 * t - 1) ** 2
    cable.push([x, y])
    ropes += `M${x} ${Math.round(y)}V${deck}`
  }
  c.line(ropes, '#3a1852', 1.5)
  c.line(polygon(cable, { close: false }), '#3a1852', 5)
  c.shape(box(980, deck, 960, 10) + box(1002, 560, 16, 240) + box(1457, 560, 16, 240) + box(1000, 640, 20, 8), '#2c1147')
  c.shape(Array.from({ length: 26 }, (_, i) => box(990 + i * 36, deck - 4, 5, 3)).join(''), '#ffe08a')
  birds(c, 700, 330, 7, '#3a1750', 16)
  // The sea front: road lamps and palms.
  land(c, outline(c, 930, 12, { swell: 1 }), c.vertical('#2a0f3f', '#0d0719'))
  c.shape(polygon([[0, 1080], [0, 1010], [1920, 968], [1920, 1080]]), '#150a26')
  c.shape(Array.from({ length: 14 }, (_, i) => polygon([[i * 150, 1046 - i * 3], [i * 150 + 70, 1044 - i * 3], [i * 150 + 66, 1050 - i * 3], [i * 150 - 6, 1052 - i * 3]])).join(''), '#ff9ad0', 'opacity=".7"')
  for (const [x, h, lean] of [[90, 560, 0.12], [250, 430, -0.1], [420, 330, 0.14], [1600, 380, -0.12], [1740, 520, 0.1], [1880, 620, -0.1]]) palm(c, x, 990, h, { trunk: '#1b0b2e', leaf: '#1d0d33', under: '#2c1348', lean })
  for (const x of [660, 980, 1300]) {
    glow(c, x + 44, 806, 70, '#6fe8ff', 0.55)
    c.shape(box(x, 800, 7, 190) + box(x, 800, 50, 6), '#170a29')
    c.circle(x + 46, 809, 6, '#d8fbff')
  }
  finish(c, '#0d0818')
}

export const logo = () =>
  badge(
    ['#ff7a6b', '#5a1f8a'],
    `<circle cx="48" cy="46" r="27" fill="url(#a)"/>` +
      fill('M20 54h56v3H20zM22 61h52v4H22zM27 69h42v5H27z', '#5d2190') +
      fill('M58 84C57 66 55 52 49 38l5-1c7 14 9 30 10 47z', '#2a0d45') +
      fill('M51 38c-9-9-21-9-29-1 9-2 16 0 20 4-9 0-15 6-16 15 6-7 14-11 24-14 0 7 2 14 7 19 2-7 1-14-2-19 7 1 13 5 17 11 2-9-3-15-10-17 4-2 9-2 14 1-4-9-15-10-22-2-1-6-5-11-12-13 5 5 8 10 9 16z', '#2a0d45'),
    '<linearGradient id="a" x2="0" y2="1"><stop stop-color="#fff3b0"/><stop offset="1" stop-color="#ff5f9a"/></linearGradient>',
  )
