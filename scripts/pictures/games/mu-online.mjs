// Mu Online: a burnt-black castle court at night, braziers, a blood moon.
import { box, polygon } from '../canvas.mjs'
import { birds, cloud, finish, glow, haze, land, mist, moon, motes, outline, peak, sky, stars } from '../landscape.mjs'
import { rampart, silhouette, tower } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'mu-online'

const column = (c, x, base, w, h, broken) => {
  c.rect(x - w / 2, base - h, w, h, '#6a4a4f')
  c.rect(x + w * 0.08, base - h, w * 0.42, h, '#3d2a38')
  c.shape([-0.3, -0.1].map((t) => box(x + w * t, base - h, w * 0.06, h)).join(''), '#8a6560')
  c.shape(box(x - w * 0.75, base - w * 0.4, w * 1.5, w * 0.4), '#513840')
  if (broken) c.shape(polygon([[x - w / 2, base - h + 1], [x - w * 0.3, base - h - w * 0.5], [x, base - h - w * 0.1], [x + w * 0.2, base - h - w * 0.7], [x + w / 2, base - h + 1]]), '#5a3e46')
  else c.shape(box(x - w * 0.75, base - h - w * 0.3, w * 1.5, w * 0.36), '#7a565a')
}

const brazier = (c, x, y, s) => {
  glow(c, x, y - 60 * s, 190 * s, '#ff8a3a', 0.7)
  c.shape(`M${x - 40 * s} ${y - 60 * s}h${80 * s}l${-16 * s} ${34 * s}h${-48 * s}zM${x - 6 * s} ${y - 28 * s}h${12 * s}v${28 * s}h${-12 * s}zM${x - 26 * s} ${y - 4 * s}h${52 * s}v${8 * s}h${-52 * s}z`, '#2c1c28')
  c.shape(`M${x - 34 * s} ${y - 60 * s}q${-8 * s} ${-40 * s} ${18 * s} ${-64 * s}q${2 * s} ${22 * s} ${10 * s} ${26 * s}q${2 * s} ${-40 * s} ${20 * s} ${-60 * s}q${0} ${34 * s} ${14 * s} ${52 * s}q${14 * s} ${20 * s} ${4 * s} ${46 * s}z`, '#ff6a2a')
  c.shape(`M${x - 16 * s} ${y - 60 * s}q${-6 * s} ${-24 * s} ${12 * s} ${-40 * s}q${4 * s} ${12 * s} ${8 * s} ${14 * s}q${4 * s} ${-12 * s} ${8 * s} ${-18 * s}q${12 * s} ${26 * s} ${2 * s} ${44 * s}z`, '#ffe08a')
}

export function backdrop(c) {
  sky(c, '#0e0a1c', '#2b1230', ['#6e1f34', 0.54], ['#c8553a', 0.76])
  stars(c, 120, 420)
  moon(c, 1250, 330, 190, '#f08a6a', { halo: 3.2, strength: 0.55 })
  for (const [x, y, w] of [[960, 420, 520], [1400, 300, 420], [60, 300, 520], [380, 200, 380]]) cloud(c, x, y, w, '#5a2438', 0.7)
  const rock = { lit: '#5c2438', shade: '#38182f', foot: '#a5443a' }
  for (const [x, y, w] of [[120, 520, 240], [360, 580, 200], [1720, 500, 260]]) peak(c, x, y, 800, w, rock)
  mist(c, 720, 190, '#e0704a', 0.45)
  const dark = { lit: '#4a2c40', shade: '#2a1830', roof: '#1f1228', light: '#ff9a4a' }
  tower(c, 860, 800, 110, 420, { ...dark, roofHeight: 190, windows: 5, flag: '#c22f35' })
  tower(c, 740, 800, 74, 300, { ...dark, roofHeight: 130, windows: 3 })
  tower(c, 990, 800, 74, 330, { ...dark, roofHeight: 130, windows: 4, flag: '#c22f35' })
  tower(c, 620, 800, 90, 210, { ...dark, roof: undefined, windows: 2 })
  tower(c, 1110, 800, 90, 220, { ...dark, roof: undefined, windows: 2 })
  rampart(c, 540, 810, 660, 120, '#3a2236', 15)
  c.shape('M800 812v-70a60 60 0 0 1 120 0v70z', '#160c1c')
  c.shape('M814 812v-66a46 46 0 0 1 92 0v66z', '#ff7a3a')
  c.line('M830 812v-110M850 812v-116M870 812v-116M890 812v-110M814 760h92', '#2c1526', 5)
  c.line('M676 690v80M1050 690v80', '#1d1024', 4)
  c.shape('M654 690h44v90l-22-18-22 18zM1028 690h44v90l-22-18-22 18z', '#a8263a')
  c.shape('M676 706l10 16-10 16-10-16zM1050 706l10 16-10 16-10-16z', '#ffcf7a')
  haze(c, 640, 860, '#d95a3a', 0.22)
  land(c, outline(c, 820, 12, { swell: 1.2 }), c.verticalBetween(800, 1080, '#4a2a36', '#140a16'))
  // The court: a ring of summoning and fallen columns.
  glow(c, 1400, 890, 330, '#5fa8ff', 0.5)
  c.add('<g fill="none" stroke="#9fd0ff" opacity=".85"><ellipse cx="1400" cy="900" rx="220" ry="46" stroke-width="5"/><ellipse cx="1400" cy="900" rx="170" ry="34" stroke-width="3"/><path d="M1400 866l146 50h-292zM1400 934l146-50h-292z" stroke-width="3"/></g>')
  c.shape('M1300 900q10-260 100-360 90 100 100 360z', c.vertical(['#9fd0ff', 0, 0], ['#9fd0ff', 1, 0.35]))
  column(c, 1140, 880, 46, 190, true)
  column(c, 1660, 900, 60, 360, false)
  column(c, 1820, 930, 66, 470, true)
  column(c, 260, 910, 60, 400, true)
  column(c, 90, 940, 70, 520, false)
  c.shape('M420 900l150-30 10 40-150 32zM436 904a16 22 0 1 0 2 36z', '#513840')
  silhouette(c, 'dragon', 960, 220, -240, '#1a0d1f')
  brazier(c, 700, 920, 1)
  brazier(c, 1010, 920, 1)
  silhouette(c, 'soldier', 860, 930, 190, '#150a17')
  c.shape('M836 850q-70-50-96-10 40-6 60 20-40-8-60 16 50-4 90 10zM868 850q70-50 96-10-40-6-60 20 40-8 60 16-50-4-90 10z', '#e0453a', 'opacity=".9"')
  birds(c, 560, 380, 7, '#1a0d1f', 15)
  motes(c, 120, [300, 1020], '#ff9a4a', { opacity: 0.8, size: [1.3, 3.6] })
  finish(c, '#0b0610')
}

export const logo = () =>
  badge(
    ['#c2333c', '#1a0c1c'],
    fill('M48 12 58 30 54 62H42L38 30z', '#f4dcd0') +
      fill('M48 12 58 30 54 62h-6z', '#b58a84') +
      fill('M36 58h24v7H36zM44 65h8v18h-8z', '#ffb84a') +
      fill('M36 54C18 54 10 40 12 20c4 8 10 10 14 10-2 4 0 8 4 10-2 4 2 8 6 8z', '#ff7a4a') +
      fill('M60 54c18 0 26-14 24-34-4 8-10 10-14 10 2 4 0 8-4 10 2 4-2 8-6 8z', '#d9453a'),
  )
