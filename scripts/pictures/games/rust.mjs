// Rust: red desert, a decayed dome and mast, a fire before a patched shelter.
import { box, polygon } from '../canvas.mjs'
import { birds, finish, glow, haze, land, mist, motes, outline, peak, sky, stars, streaks, sun } from '../landscape.mjs'
import { gear, silhouette } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'rust'

export function backdrop(c) {
  sky(c, '#2a1c33', '#7a3a3a', ['#d9673a', 0.5], ['#ffc27a', 0.72])
  stars(c, 60, 260)
  sun(c, 760, 560, 92, '#ffb45a', { halo: 7, strength: 0.6 })
  streaks(c, 18, 170, 520, '#ffb98a', 0.35)
  const mesa = { lit: '#c9734e', shade: '#8f4a42', foot: '#e39a6a' }
  for (const [x, y, w] of [[180, 500, 300], [480, 560, 220], [1760, 480, 300]]) peak(c, x, y, 790, w, mesa)
  land(c, outline(c, 690, 40, { swell: 1.6 }), c.verticalBetween(640, 800, '#b5604a', '#f2b078'))
  mist(c, 720, 150, '#ffd199', 0.55)
  // The dome of the old plant, plates missing.
  const [dx, dy, r] = [1330, 790, 250]
  c.shape(`M${dx - r} ${dy}A${r} ${r} 0 0 1 ${dx + r} ${dy}z`, c.diagonal('#c98a62', ['#8a5142', 0.5], '#4a2c33'))
  c.shape(`M${dx + 40} ${dy}Q${dx + 130} ${dy - 170} ${dx + 20} ${dy - r}A${r} ${r} 0 0 1 ${dx + r} ${dy}z`, '#4a2a30', 'opacity=".55"')
  c.line([0.3, 0.62, 0.86].map((t) => { const h = Math.round(r * t); const w = Math.round(Math.sqrt(r * r - h * h)); return `M${dx - w} ${dy - h}Q${dx} ${dy - h + 26} ${dx + w} ${dy - h}` }).join('') + [-0.75, -0.4, 0, 0.4, 0.75].map((t) => `M${Math.round(dx + r * t)} ${dy}Q${Math.round(dx + r * t * 1.05)} ${dy - 150} ${dx} ${dy - r}`).join(''), '#5a3236', 5, 'opacity=".8"')
  c.shape('M1200 640l62-18 14 62-66 22zM1392 700l56 8 22 60-70-6zM1256 742l48 6-2 42h-50z', '#2a1824')
  c.shape('M1208 644l50-14 6 26z', '#ffb060', 'opacity=".5"')
  c.shape(box(1064, 776, 530, 26) + box(1100, 800, 20, 40) + box(1540, 800, 20, 40), '#5c3a3a')
  // A lattice mast.
  c.line('M1612 800L1650 330L1688 800M1618 740L1684 700M1622 680l56-44M1628 610l44-38M1634 540l34-30M1682 740L1620 700M1678 680l-54-44M1674 610l-44-38M1668 540l-34-30', '#4a2c33', 6)
  c.shape(box(1646, 250, 8, 90) + box(1626, 400, 48, 8), '#4a2c33')
  c.ellipse(1628, 430, 26, 34, '#8a5a4c')
  glow(c, 1650, 250, 42, '#ff4d3a', 0.9)
  c.circle(1650, 250, 5, '#ffe0d0')
  haze(c, 600, 860, '#ffb070', 0.32)
  land(c, outline(c, 820, 34, { swell: 1.3 }), c.verticalBetween(780, 960, '#a0533c', '#5a2f30'))
  // The shelter: planks, sheet metal and a lit slit.
  const [sx, sy] = [330, 880]
  c.shape(polygon([[sx, sy], [sx, sy - 170], [sx + 250, sy - 190], [sx + 250, sy]]), '#7d4a38')
  c.shape(polygon([[sx + 150, sy], [sx + 150, sy - 182], [sx + 250, sy - 190], [sx + 250, sy]]), '#4d2d2c')
  c.shape(Array.from({ length: 6 }, (_, i) => box(sx + 6 + i * 24, sy - 164 + (i % 2) * 12, 18, 152)).join(''), '#93583f')
  c.shape(polygon([[sx - 24, sy - 164], [sx + 120, sy - 236], [sx + 276, sy - 184], [sx + 268, sy - 166], [sx + 120, sy - 210], [sx - 16, sy - 150]]), '#a9a09a')
  c.shape(polygon([[sx + 120, sy - 236], [sx + 276, sy - 184], [sx + 268, sy - 166], [sx + 120, sy - 210]]), '#6e625f')
  c.shape(box(sx + 40, sy - 120, 70, 26) + box(sx + 176, sy - 130, 36, 20), '#ffc45e')
  c.shape(box(sx + 166, sy - 92, 60, 92), '#3a2226')
  c.shape(box(sx + 170, sy - 60, 52, 6) + box(sx + 170, sy - 30, 52, 6), '#8a7068')
  c.shape(box(sx + 20, sy - 290, 6, 90), '#4d2d2c')
  c.shape(`M${sx + 26} ${sy - 288}l60 12-14 14 14 16-60 8z`, '#d9482f')
  // Fire, smoke and the one who keeps it.
  glow(c, 740, 870, 220, '#ff9a3c', 0.75)
  c.line('M740 840q-30-60 6-120t-4-120q-24-60 20-130', c.vertical(['#3a2226', 0, 0], ['#5a3a3a', 1, 0.6]), 26, 'stroke-linecap="round" opacity=".5"')
  c.shape('M716 888q-16-34 14-62 2 20 12 24-2-34 12-52 8 30 22 44 14 26-4 46z', '#ff7a2a')
  c.shape('M728 888q-8-20 10-36 4 12 8 14 2-14 6-22 14 24 8 44z', '#ffe08a')
  c.line('M700 892l80-10M704 882l74 12', '#3a2226', 10, 'stroke-linecap="round"')
  silhouette(c, 'soldier', 860, 900, 150, '#2a1720')
  const rocks = (x, y, s) => { c.shape(polygon([[x, y], [x + 20 * s, y - 50 * s], [x + 60 * s, y - 76 * s], [x + 100 * s, y - 40 * s], [x + 130 * s, y]]), '#6a3a36'); c.shape(polygon([[x + 60 * s, y - 76 * s], [x + 100 * s, y - 40 * s], [x + 130 * s, y], [x + 70 * s, y]]), '#42242a') }
  rocks(60, 930, 1.4)
  rocks(1660, 930, 1.8)
  rocks(1080, 900, 0.7)
  land(c, outline(c, 945, 26, { swell: 1.5 }), c.verticalBetween(900, 1080, '#4a2429', '#150b12'))
  birds(c, 1080, 360, 6, '#4a2030', 16)
  motes(c, 80, [380, 1010], '#ffcf9a', { opacity: 0.5 })
  finish(c, '#120a10')
}

export const logo = () =>
  badge(
    ['#e0673a', '#4a1a1f'],
    fill(gear(48, 50, 35, 9, 0), '#f3d9c0') +
      fill('M48 15a35 35 0 0 1 0 70z', '#a9745a', 'opacity=".45"') +
      '<circle cx="48" cy="50" r="21" fill="#3a161b"/>' +
      fill('M36 66c-9-14-1-22 5-30 1 8 4 11 7 13-1-9 2-16 8-21 1 9 5 14 8 19 5 9 1 17-4 20z', '#ff8a3a') +
      fill('M42 67c-5-8 0-13 4-17 1 4 3 6 5 7 0-5 1-7 3-9 5 8 5 15 1 19z', '#ffe08a'),
  )
