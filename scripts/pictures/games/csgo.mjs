// CS:GO: a rail yard under cooling towers on a cold evening.
import { box, polygon } from '../canvas.mjs'
import { cloud, finish, glow, haze, land, motes, outline, sky, skyline, stars, streaks } from '../landscape.mjs'
import { silhouette } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'csgo'

const cooling = (c, x, base, w, h) => {
  const side = (s) => `Q${x + s * w * 0.3} ${base - h * 0.55} ${x + s * w * 0.36} ${base - h}`
  c.shape(`M${x - w * 0.56} ${base}${side(-1)}H${x + w * 0.36}Q${x + w * 0.3} ${base - h * 0.55} ${x + w * 0.56} ${base}z`, c.horizontal('#8597a8', '#4b5d72'))
  c.shape(`M${x + w * 0.1} ${base}Q${x + w * 0.06} ${base - h * 0.55} ${x + w * 0.08} ${base - h}H${x + w * 0.36}Q${x + w * 0.3} ${base - h * 0.55} ${x + w * 0.56} ${base}z`, '#34465c', 'opacity=".6"')
  c.ellipse(x, base - h, w * 0.36, w * 0.05, '#2c3b50')
  c.shape(box(x - w * 0.345, base - h * 0.9, w * 0.69, h * 0.045) + box(x - w * 0.33, base - h * 0.8, w * 0.66, h * 0.045), '#c8553d', 'opacity=".7"')
}

const wagon = (c, x, base, w, colour, shade) => {
  const h = w * 0.4
  c.rect(x, base - h, w, h, colour)
  c.shape(Array.from({ length: 11 }, (_, i) => box(x + w * (0.04 + i * 0.088), base - h * 0.92, w * 0.03, h * 0.84)).join(''), shade)
  c.shape(box(x - 6, base - h - 6, w + 12, 10) + box(x - 10, base, w + 20, 12), '#1e2836')
  c.shape(Array.from({ length: 4 }, (_, i) => { const wx = x + w * [0.12, 0.26, 0.74, 0.88][i]; return `M${wx - 16} ${base + 20}a16 16 0 1 0 32 0 16 16 0 1 0-32 0` }).join(''), '#0f1622')
}

export function backdrop(c) {
  sky(c, '#121c33', '#2c4a66', ['#7d8f96', 0.52], ['#f0a765', 0.7])
  stars(c, 60, 240)
  glow(c, 560, 690, 720, '#ff9d4f', 0.6)
  streaks(c, 16, 240, 560, '#ffb27a', 0.3)
  // Steam leaning away with the wind.
  for (const [x, y, w, o] of [[1130, 260, 460, 0.5], [1260, 190, 560, 0.45], [1480, 120, 520, 0.35], [1420, 300, 420, 0.4], [1600, 220, 420, 0.35]]) cloud(c, x, y, w, '#e6d7cd', o)
  land(c, outline(c, 690, 40, { swell: 1.5 }), c.verticalBetween(640, 780, '#4d6273', '#c98c62'))
  skyline(c, 760, { widths: [30, 90], heights: [30, 150], fill: c.verticalBetween(600, 780, '#42566b', '#8d7363'), lights: ['#ffcf8a'], share: 0.12, shape: (t) => 0.5 + 0.6 * Math.sin(t * 9) ** 2 })
  cooling(c, 1210, 790, 260, 420)
  cooling(c, 1480, 790, 300, 500)
  c.shape(box(960, 430, 26, 360) + box(1020, 480, 22, 310), '#42546a')
  c.shape(box(960, 460, 26, 18) + box(960, 500, 26, 18) + box(1020, 510, 22, 16), '#c8553d')
  for (const [x, y] of [[973, 424], [1031, 474], [1396, 288], [1126, 366]]) { glow(c, x, y, 34, '#ff5a4a', 0.8); c.circle(x, y, 4, '#ffd0c4') }
  haze(c, 560, 820, '#f2b67c', 0.42)
  // The yard: signal bridge, wagons, rails.
  land(c, [[-20, 800], [900, 796], [1940, 802]], c.vertical('#4a4e58', '#171c27'))
  c.shape(box(150, 470, 16, 340) + box(700, 470, 16, 340) + box(140, 470, 590, 12) + box(140, 506, 590, 8), '#222d3d')
  c.line(polygon(Array.from({ length: 25 }, (_, i) => [144 + i * 24, i % 2 ? 508 : 480]), { close: false }), '#222d3d', 4)
  for (const [x, lamp] of [[260, '#6cff9a'], [420, '#ff5a4a'], [590, '#ffcf5a']]) { c.rect(x - 14, 514, 28, 66, '#151d2a'); glow(c, x, 560, 60, lamp, 0.7); c.circle(x, 560, 8, lamp); c.circle(x, 532, 8, '#2c3747') }
  wagon(c, 980, 860, 330, '#9a4a34', '#7d3828')
  wagon(c, 1340, 860, 330, '#3f6b78', '#315663')
  wagon(c, 1700, 860, 330, '#8a7440', '#6f5c33')
  wagon(c, -60, 850, 300, '#5a6a72', '#495862')
  const vanish = [560, 806]
  const rails = [-700, -420, 100, 380, 900, 1180, 1720, 2040]
  for (let i = 0; i < rails.length; i += 2) {
    const [a, b] = [rails[i], rails[i + 1]]
    c.shape(Array.from({ length: 9 }, (_, k) => { const t = ((k + 1) / 9) ** 2.2; const y = 806 + 274 * t; const lx = vanish[0] + (a - 40 - vanish[0]) * t; const rx = vanish[0] + (b + 40 - vanish[0]) * t; return polygon([[lx, y], [rx, y], [rx, y + 10 * t + 1], [lx, y + 10 * t + 1]]) }).join(''), '#2b2a30')
    c.line(`M${vanish[0]} ${vanish[1]}L${a} 1080M${vanish[0]} ${vanish[1]}L${b} 1080`, '#b98a66', 4, 'opacity=".75"')
  }
  silhouette(c, 'soldier', 800, 884, 130, '#111824')
  glow(c, 560, 800, 300, '#ffc98a', 0.4)
  motes(c, 60, [350, 1000], '#ffd9ad', { opacity: 0.4, size: [1.2, 2.8] })
  finish(c, '#0a0d16')
}

export const logo = () =>
  badge(
    ['#5d7fa3', '#151f33'],
    fill('M48 13 77 24v22c0 19-13 30-29 37-16-7-29-18-29-37V24z', '#f08a3c') +
      fill('M48 13 77 24v22c0 19-13 30-29 37z', '#b8582a') +
      fill('M48 27l5.5 13.5L68 42 57 51.500l3.500 14.500L48 58l-12.500 8L39 51.500 28 42l14.500-1.500z', '#fff3df'),
  )
