// Red Dead Redemption 2: riders on a ridge, mesas and telegraph poles before a red sun.
import { polygon, box } from '../canvas.mjs'
import { birds, finish, glow, haze, land, mist, motes, outline, sky, stars, streaks } from '../landscape.mjs'
import { silhouette } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'red-dead-redemption-2'

const mesa = (c, x, base, w, h, [lit, shade, foot]) => {
  const [l, r] = [x - w / 2, x + w / 2]
  c.shape(polygon([[l - w * 0.24, base], [l - w * 0.06, base - h * 0.42], [l, base - h * 0.5], [l + w * 0.02, base - h], [r - w * 0.04, base - h], [r, base - h * 0.5], [r + w * 0.08, base - h * 0.42], [r + w * 0.26, base]]), c.vertical(lit, foot))
  c.shape(polygon([[x + w * 0.14, base - h], [r - w * 0.04, base - h], [r, base - h * 0.5], [r + w * 0.08, base - h * 0.42], [r + w * 0.26, base], [x + w * 0.2, base], [x + w * 0.08, base - h * 0.5]]), c.vertical(shade, foot))
  c.shape([0.16, 0.3, 0.44].map((t) => polygon([[l + w * t, base - h], [l + w * (t + 0.035), base - h], [l + w * (t + 0.05), base - h * 0.52], [l + w * (t + 0.01), base - h * 0.5]])).join(''), shade, 'opacity=".5"')
}

const cactus = (c, x, base, s, fill) =>
  c.line(`M${x} ${base}v${-150 * s}M${x} ${base - 60 * s}h${-24 * s}q${-16 * s} 0 ${-16 * s}${-16 * s}v${-34 * s}M${x} ${base - 44 * s}h${22 * s}q${16 * s} 0 ${16 * s}${-16 * s}v${-44 * s}`, fill, 22 * s, 'stroke-linecap="round"')

export function backdrop(c) {
  sky(c, '#3a0f1e', '#8f1f2a', ['#e0442f', 0.46], ['#ff8f4a', 0.64], '#ffcf85')
  stars(c, 60, 240, '#ffe0c0')
  glow(c, 960, 600, 820, '#ffc46a', 0.65)
  c.circle(960, 570, 230, c.vertical('#fff0b8', ['#ffc25f', 0.6], '#ff7a45'))
  streaks(c, 22, 200, 620, '#b52a2f', 0.45, [240, 760])
  const far = ['#c4503f', '#963644', '#f09a63']
  mesa(c, 300, 780, 300, 220, far)
  mesa(c, 640, 780, 120, 150, far)
  mesa(c, 1660, 780, 340, 260, far)
  mist(c, 740, 170, '#ffbd78', 0.6)
  const near = ['#9a3a36', '#6a2434', '#cf6a4a']
  mesa(c, 1330, 830, 190, 300, near)
  mesa(c, 90, 830, 240, 250, near)
  haze(c, 640, 860, '#ff9a55', 0.3)
  land(c, outline(c, 810, 30, { swell: 1.6 }), c.verticalBetween(770, 930, '#8a2f30', '#4a1624'))
  // Telegraph poles walking off to the right.
  const poles = [[420, 880, 300], [700, 856, 220], [890, 842, 160], [1020, 834, 120], [1110, 828, 90]]
  c.shape(poles.map(([x, y, h]) => box(x - h * 0.02, y - h, h * 0.04, h) + box(x - h * 0.16, y - h * 0.93, h * 0.32, h * 0.03) + box(x - h * 0.12, y - h * 0.83, h * 0.24, h * 0.03)).join(''), '#3a1020')
  c.line(poles.slice(1).map(([x, y, h], i) => { const [px, py, ph] = poles[i]; return [-0.14, 0.14].map((s) => `M${px + ph * s} ${Math.round(py - ph * 0.93)}Q${(px + x) / 2} ${Math.round((py - ph + y - h) / 2 + 34)} ${Math.round(x + h * s)} ${Math.round(y - h * 0.93)}`).join('') }).join(''), '#3a1020', 2)
  cactus(c, 1560, 900, 1, '#4a1526')
  cactus(c, 1690, 880, 0.6, '#5c1c2a')
  cactus(c, 250, 910, 0.9, '#4a1526')
  // The ridge with its riders, dust behind them.
  const ridge = land(c, [[-20, 960], [180, 950], [420, 930], [640, 890], [860, 868], [1100, 872], [1320, 900], [1560, 950], [1940, 970]], c.verticalBetween(860, 1080, '#3a0f1e', '#12060d'))
  for (const [x, w] of [[760, 120], [640, 150], [520, 170]]) c.ellipse(x, 880, w, 26, '#ff9a55', 'opacity=".16"')
  silhouette(c, 'rider', 980, 872, 270, '#220812')
  silhouette(c, 'rider', 800, 880, 220, '#2a0b16')
  silhouette(c, 'rider', 1130, 880, 230, '#260a14')
  silhouette(c, 'rider', 660, 896, 190, '#320e1a')
  let grass = ''
  for (let i = 0; i < 90; i += 1) {
    const x = Math.round(c.random.between(0, 1920))
    const y = Math.round(900 + c.random.between(40, 120))
    grass += `M${x} ${y}l-6-30 10 26 4-36 4 36 10-22-8 28z`
  }
  c.shape(grass, '#1c0811')
  c.shape('M1520 960l40-70 70-30 60 40 60 70zM60 1000l50-60 80-20 60 80z', '#220a14')
  birds(c, 1240, 330, 7, '#5c1420', 18)
  motes(c, 80, [400, 1010], '#ffcf8a', { opacity: 0.55 })
  finish(c, '#10060b', { foot: 0.75 })
  return ridge
}

export const logo = () =>
  badge(
    ['#e8452f', '#3d0d18'],
    '<circle cx="48" cy="50" r="28" fill="#ffc76a"/>' +
      fill('M10 56q38 16 76 0-2 8-14 12-24 8-48 0-12-4-14-12z', '#220810') +
      fill('M28 58q2-28 12-30 8 6 16 0 10 2 12 30-20 8-40 0z', '#220810') +
      fill('M28 52q20 8 40 0l1 7q-21 8-42 0z', '#c22f2a') +
      fill('M22 76q26 8 52 0-8 8-26 8t-26-8z', '#220810'),
  )
