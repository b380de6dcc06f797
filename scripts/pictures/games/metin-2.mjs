// Metin 2: pagodas among red maples while a burning stone falls.
import { polygon } from '../canvas.mjs'
import { birds, cloud, finish, glow, haze, land, mist, motes, outline, peak, sky, stars, streaks } from '../landscape.mjs'
import { pagoda, silhouette, tree } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'metin-2'

export function backdrop(c) {
  sky(c, '#260f2b', '#6b1f3a', ['#c8453a', 0.5], ['#ffb168', 0.72])
  stars(c, 90, 320)
  glow(c, 620, 560, 640, '#ffbf6a', 0.6)
  c.circle(620, 520, 150, c.vertical('#fff0c0', '#ff9a5a'))
  streaks(c, 12, 380, 620, '#ffb08a', 0.4)
  const rock = { lit: '#a0485a', shade: '#6a2f50', foot: '#e58a6a' }
  for (const [x, y, w] of [[160, 470, 220], [330, 400, 170], [500, 520, 200], [980, 560, 220], [1780, 420, 240], [1630, 500, 180]]) peak(c, x, y, 800, w, rock)
  mist(c, 720, 220, '#ffc793', 0.65)
  land(c, outline(c, 720, 50, { swell: 2 }), c.verticalBetween(660, 860, '#8a3a4a', '#d9805a'))
  pagoda(c, 860, 772, 170, 4, { wall: '#d98a5c', shade: '#a85a48', roof: '#7a2740', light: '#ffe08a' })
  mist(c, 780, 110, '#ffb884', 0.45)
  // The falling stone.
  glow(c, 1120, 300, 240, '#ff8a4a', 0.7)
  c.shape('M1560 -20L1170 246l-60 100 100-40L1640-20z', c.diagonal(['#ffe9a8', 0, 0.95], ['#ff7a3a', 0.5, 0.75], ['#ff5a3a', 1, 0.1]), 'opacity=".8"')
  c.shape('M1500 0L1180 250l-30 60 60-24L1590 0z', '#fff3c9', 'opacity=".45"')
  c.shape(polygon([[1076, 300], [1110, 250], [1166, 246], [1186, 290], [1150, 344], [1096, 350]]), '#2c1430')
  c.shape(polygon([[1110, 250], [1166, 246], [1150, 290], [1120, 296]]), '#5c2a44')
  c.line('M1096 310l30-14 20 22M1130 346l16-28 34-26', '#ff9a4a', 6)
  // The great pagoda on its hill.
  land(c, [[980, 960], [1120, 850], [1260, 790], [1440, 772], [1620, 800], [1760, 870], [1940, 930]], c.verticalBetween(770, 960, '#7a3040', '#3a1730'))
  glow(c, 1420, 640, 380, '#ffcf7a', 0.35)
  pagoda(c, 1420, 800, 330, 5, { wall: '#e8a068', shade: '#a8503f', roof: '#571a33', light: '#ffe59a' })
  c.shape('M1270 800h300v20h-300zM1240 820h360v22h-360z', '#5c2a38')
  c.shape('M1390 820h60l20 60h-100z', '#8a4a44')
  for (const [x, y] of [[1262, 780], [1578, 780]]) { c.shape(`M${x - 5} ${y + 40}v-50h10v50z`, '#3a1428'); glow(c, x, y - 20, 60, '#ffb04a', 0.8); c.ellipse(x, y - 20, 14, 18, '#ff6a3a'); c.ellipse(x - 4, y - 22, 5, 12, '#ffd58a') }
  // A red gate on the path.
  c.shape('M470 890V690h22v200zM668 890V690h22v200zM440 676q140 26 280 0l10-34q-150 30-300 0zM460 726h240v16H460zM572 690h16v40h-16z', '#b5283a')
  c.shape('M680 890V690h10v200zM440 676q140 26 280 0l3-10q-143 26-286 0z', '#7a1830')
  land(c, outline(c, 880, 34, { swell: 1.4 }), c.verticalBetween(840, 1080, '#5c2336', '#1c0b18'))
  for (const [x, h, leaf] of [[100, 330, '#c22f35'], [290, 220, '#e0552f'], [1800, 350, '#b5283a'], [1040, 190, '#d9452f'], [1660, 200, '#e0552f']]) tree(c, x, 940, h, { trunk: '#32141f', leaf, spread: 0.5 })
  silhouette(c, 'rider', 800, 930, -190, '#260d1d')
  land(c, outline(c, 970, 24, { swell: 1.6 }), c.verticalBetween(930, 1080, '#33121f', '#0e060d'))
  haze(c, 600, 900, '#ff9a5a', 0.14)
  cloud(c, -60, 300, 520, '#ffc090', 0.35)
  cloud(c, 1400, 420, 440, '#ffb080', 0.35)
  birds(c, 860, 420, 6, '#571a33', 15)
  motes(c, 100, [320, 1020], '#ff9a6a', { opacity: 0.75, size: [1.5, 4] })
  finish(c, '#12070f')
}

export const logo = () =>
  badge(
    ['#e0473a', '#3d0f24'],
    fill('M14 30q34 10 68 0l2-12q-36 9-72 0z', '#ffd27a') +
      fill('M20 40h56v8H20z', '#ffd27a') +
      fill('M26 28h9v54h-9zM61 28h9v54h-9z', '#f0a04a') +
      fill('M44 30h8v14h-8z', '#f0a04a') +
      fill('M48 52l9 8-3 13-6 6-6-6-3-13z', '#fff1cf') +
      fill('M48 52l9 8-3 13-6 6z', '#ff8a4a'),
  )
