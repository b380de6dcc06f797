// Cabal Online: a city where machines run on crystals, rings of light turning above.
import { box, polygon } from '../canvas.mjs'
import { beams, finish, glow, haze, land, mist, motes, outline, sky, skyline, stars, streaks } from '../landscape.mjs'
import { crystal, silhouette } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'cabal-online'

const spire = (c, x, base, w, h, [lit, shade, glowing]) => {
  const top = base - h
  c.shape(polygon([[x - w / 2, base], [x - w * 0.36, top + h * 0.3], [x - w * 0.12, top + h * 0.12], [x, top], [x + w * 0.04, top + h * 0.3], [x + w * 0.04, base]]), lit)
  c.shape(polygon([[x + w * 0.04, base], [x + w * 0.04, top + h * 0.3], [x, top], [x + w * 0.12, top + h * 0.12], [x + w * 0.36, top + h * 0.3], [x + w / 2, base]]), shade)
  c.shape(polygon([[x - w * 0.06, base], [x - w * 0.04, top + h * 0.34], [x + w * 0.04, top + h * 0.34], [x + w * 0.06, base]]), glowing)
  c.shape([0.45, 0.6, 0.75].map((t) => box(x - w * 0.42, top + h * t, w * 0.84, Math.max(3, h * 0.012))).join(''), glowing, 'opacity=".7"')
}

export function backdrop(c) {
  sky(c, '#07132f', '#0f3468', ['#1f7fa8', 0.52], ['#8fe0d8', 0.76])
  stars(c, 180, 480)
  glow(c, 1240, 420, 700, '#5ff0ff', 0.45)
  beams(c, 1240, 400, 1100, '#9ff6ff', { count: 10, opacity: 0.07 })
  streaks(c, 12, 260, 620, '#9fe8ff', 0.25)
  skyline(c, 800, { widths: [24, 60], heights: [60, 240], fill: c.verticalBetween(540, 800, '#2a6a96', '#7fcfd0'), tops: true })
  for (const [x, w, h] of [[180, 90, 360], [330, 70, 260], [520, 100, 420], [800, 80, 300], [1640, 100, 400], [1800, 80, 300]]) spire(c, x, 810, w, h, ['#3f7fb0', '#245588', '#9ff6ff'])
  mist(c, 760, 190, '#a8f0e6', 0.5)
  // The great core between its claws.
  c.line('M930 420a310 84 0 0 1 620 0', '#9ff6ff', 5, 'opacity=".5"')
  c.line('M1010 300a230 62 0 0 1 460 0', '#9ff6ff', 4, 'opacity=".45"')
  c.shape(polygon([[1010, 820], [1040, 620], [1120, 520], [1170, 500], [1120, 600], [1130, 820]]), '#2f5f94')
  c.shape(polygon([[1470, 820], [1440, 620], [1360, 520], [1310, 500], [1360, 600], [1350, 820]]), '#1c3f70')
  c.shape(polygon([[1130, 820], [1150, 680], [1240, 640], [1330, 680], [1350, 820]]), '#254f84')
  c.shape(polygon([[1240, 640], [1330, 680], [1350, 820], [1240, 820]]), '#183864')
  c.shape('M1186 820v-70q0-54 54-54t54 54v70z', '#0c2148')
  c.shape('M1204 820v-66q0-40 36-40t36 40v66z', '#7ff4ff')
  c.shape(polygon([[1240, 210], [1320, 390], [1240, 590], [1160, 390]]), '#d9fdff')
  c.shape(polygon([[1240, 210], [1320, 390], [1240, 590]]), '#5fd0f0')
  c.shape(polygon([[1160, 390], [1240, 430], [1320, 390], [1240, 590]]), '#2fa0d8', 'opacity=".6"')
  c.line('M930 420a310 84 0 0 0 620 0', '#e0fdff', 8)
  c.line('M1010 300a230 62 0 0 0 460 0', '#e0fdff', 6)
  c.shape([[930, 420], [1550, 420], [1240, 504], [1010, 300], [1470, 300], [1240, 362]].map(([x, y]) => polygon([[x, y - 16], [x + 10, y], [x, y + 16], [x - 10, y]])).join(''), '#fff')
  spire(c, 660, 860, 130, 470, ['#2a5f98', '#183c6c', '#7ff4ff'])
  spire(c, 1700, 880, 150, 560, ['#2a5f98', '#183c6c', '#7ff4ff'])
  spire(c, 110, 880, 140, 500, ['#2a5f98', '#183c6c', '#7ff4ff'])
  // Airships.
  for (const [x, y, s] of [[420, 300, 1], [860, 250, 0.6]]) {
    c.group(`transform="translate(${x} ${y}) scale(${s})"`, () => {
      c.shape('M-90 0q30-40 90-40t90 40q-30 30-90 30t-90-30zM60-6l50-26-10 40zM-40 34h80l-16 22h-48z', '#16345f')
      c.shape('M-90 0q30-40 90-40t90 40q-60-18-180 0z', '#3f7fb0')
      c.shape('M-30 40h10v8h-10zM-8 40h10v8h-10zM14 40h10v8h-10z', '#ffe08a')
    })
  }
  haze(c, 720, 900, '#7fe0e0', 0.25)
  // A plaza of inlaid light with crystals at its rim.
  land(c, outline(c, 850, 10, { swell: 1 }), c.verticalBetween(830, 1080, '#1c4672', '#07142c'))
  c.add('<g fill="none" stroke="#7ff4ff" opacity=".6"><ellipse cx="1240" cy="930" rx="420" ry="60" stroke-width="4"/><ellipse cx="1240" cy="930" rx="300" ry="42" stroke-width="2"/><path d="M820 930h840M1240 870v120M944 888l592 84M1536 888l-592 84" stroke-width="2"/></g>')
  c.shape(polygon([[1204, 850], [1276, 850], [1330, 1080], [1150, 1080]]), c.vertical(['#9ff6ff', 0, 0.5], ['#9ff6ff', 1, 0]))
  for (const [x, w, h, l] of [[300, 60, 180, -0.1], [360, 44, 120, 0.12], [1860, 70, 230, 0.08], [1800, 46, 140, -0.14], [820, 36, 90, 0.06]]) { glow(c, x, 910 - h / 2, h * 0.9, '#5ff0ff', 0.35); crystal(c, x, 930, w, h, { lit: '#c9fbff', shade: '#3fa0d8', lean: l }) }
  silhouette(c, 'soldier', 1040, 950, 170, '#081630')
  c.line('M1068 868l70-90', '#9ff6ff', 5, 'stroke-linecap="round"')
  motes(c, 110, [240, 1020], '#b8fbff', { opacity: 0.7, square: true, size: [1, 2.6] })
  finish(c, '#060d1c')
}

export const logo = () =>
  badge(
    ['#28b4d8', '#0d1f52'],
    '<path d="M14 48a34 13 0 0 1 68 0" fill="none" stroke="#9ff6ff" stroke-width="5"/>' +
      fill('M48 10 66 46 48 86 30 46z', '#e8feff') +
      fill('M48 10 66 46 48 86z', '#6fc8f0') +
      fill('M30 46 48 56 66 46 48 86z', '#2a8fd0', 'opacity=".65"') +
      '<path d="M14 48a34 13 0 0 0 68 0" fill="none" stroke="#fff" stroke-width="7"/>',
  )
