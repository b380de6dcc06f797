// Rappelz: a moonlit marsh of glowing mushrooms where beasts wait beside their masters.
import { polygon } from '../canvas.mjs'
import { birds, finish, glow, haze, land, mist, moon, motes, outline, peak, pines, sky, stars, water } from '../landscape.mjs'
import { crystal, silhouette, tree } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'rappelz'

const mushroom = (c, x, base, w, h, [cap, rim, stem]) => {
  glow(c, x, base - h, w * 1.3, cap, 0.35)
  c.shape(`M${x - w * 0.12} ${base}Q${x - w * 0.02} ${base - h * 0.5} ${x - w * 0.09} ${base - h}h${w * 0.18}Q${x + w * 0.06} ${base - h * 0.5} ${x + w * 0.14} ${base}z`, stem)
  c.shape(`M${x - w / 2} ${base - h}Q${x - w * 0.42} ${base - h - w * 0.5} ${x} ${base - h - w * 0.52}T${x + w / 2} ${base - h}Q${x} ${base - h + w * 0.16} ${x - w / 2} ${base - h}z`, cap)
  c.shape(`M${x} ${base - h - w * 0.52}Q${x + w * 0.42} ${base - h - w * 0.5} ${x + w / 2} ${base - h}Q${x + w * 0.3} ${base - h + w * 0.07} ${x + w * 0.1} ${base - h + w * 0.07}Q${x + w * 0.26} ${base - h - w * 0.3} ${x} ${base - h - w * 0.52}z`, rim)
  c.shape(`M${x - w * 0.3} ${base - h - w * 0.2}a${w * 0.07} ${w * 0.05} 0 1 0 .1 0zM${x - w * 0.06} ${base - h - w * 0.36}a${w * 0.08} ${w * 0.06} 0 1 0 .1 0zM${x + w * 0.14} ${base - h - w * 0.16}a${w * 0.06} ${w * 0.045} 0 1 0 .1 0z`, '#f4ffe8', 'opacity=".85"')
}

export function backdrop(c) {
  sky(c, '#0b1230', '#14335a', ['#2a7080', 0.54], ['#8fd0a8', 0.78])
  stars(c, 170, 480)
  moon(c, 760, 300, 130, '#d9f4d0', { halo: 4, strength: 0.45 })
  const rock = { lit: '#3f7a88', shade: '#28566f', foot: '#7fc0a8' }
  for (const [x, y, w] of [[140, 500, 260], [420, 560, 200], [1040, 560, 240], [1780, 480, 280]]) peak(c, x, y, 800, w, rock)
  mist(c, 720, 210, '#b0e8bc', 0.55)
  const back = land(c, outline(c, 750, 40, { swell: 1.8 }), c.verticalBetween(690, 880, '#2a6a70', '#5aa898'))
  pines(c, back, 30, [60, 120], '#2a646c')
  // An arch of stone with a shard of light in it.
  glow(c, 1380, 600, 420, '#c08aff', 0.5)
  c.shape('M1180 830q-10-260 60-360t150-96 160 110 60 346h-110q6-190-20-260t-90-80-100 70-24 270z', c.horizontal('#4a6a88', ['#2f4a6c', 0.55], '#1c2f50'))
  c.shape('M1230 480l-34-70 60 34zM1330 400l-10-86 54 74zM1480 420l44-70 6 90zM1580 540l60-40-20 80z', '#38567a')
  c.line('M1206 760q0-200 60-280M1580 760q4-160-36-250', '#7fa8c0', 5, 'opacity=".5"')
  for (const [x, y] of [[1216, 640], [1262, 500], [1390, 410], [1520, 510], [1576, 640]]) c.shape(polygon([[x, y - 18], [x + 10, y], [x, y + 18], [x - 10, y]]), '#d9b0ff')
  crystal(c, 1384, 760, 90, 230, { lit: '#f0dcff', shade: '#9a5ae8' })
  c.ellipse(1384, 768, 90, 14, '#d9b0ff', 'opacity=".5"')
  mist(c, 820, 130, '#a0e0c0', 0.5)
  water(c, 850, c.vertical('#3f8a90', '#0f2a44'), '#e0ffdc', { x: 760, width: 360, count: 60, opacity: 0.4 })
  // Shores with mushrooms.
  land(c, [[-20, 840], [200, 830], [420, 850], [560, 890], [640, 960], [600, 1080]], c.verticalBetween(830, 1080, '#1c4f58', '#0a1c2c'))
  land(c, [[1000, 1080], [1060, 960], [1180, 890], [1400, 856], [1700, 850], [1940, 830]], c.verticalBetween(830, 1080, '#1c4f58', '#0a1c2c'))
  const teal = ['#5fe0c8', '#2a9aa8', '#c8f0d8']
  const rose = ['#f08ad0', '#a84aa8', '#f4d8e8']
  const gold = ['#ffcf6a', '#d98a3c', '#f6ecc8']
  mushroom(c, 170, 900, 260, 330, teal)
  mushroom(c, 340, 890, 150, 170, rose)
  mushroom(c, 460, 910, 100, 90, gold)
  mushroom(c, 1720, 910, 240, 280, rose)
  mushroom(c, 1860, 920, 180, 190, teal)
  mushroom(c, 1590, 900, 110, 100, gold)
  tree(c, 30, 900, 320, { trunk: '#12303c', leaf: '#1c5a60' })
  // Master and beast before the arch.
  silhouette(c, 'soldier', 1260, 880, 140, '#0c1c30')
  c.shape('M1080 884l6-60 20-40 50-12 30-30 6-30 14 18 20-2 12-20 6 34 16 22-22 20-26 2-12 40 4 58h-18l-14-46-44 4-16 42z', '#0f2238')
  c.circle(1220, 744, 3.5, '#ffe27a')
  silhouette(c, 'dragon', 1060, 400, -200, '#16304c')
  let reeds = ''
  for (let i = 0; i < 46; i += 1) {
    const x = Math.round(c.random.between(0, 1920))
    const h = Math.round(c.random.between(50, 130))
    reeds += `M${x} 1080q${c.random.whole(-10, 4)} ${-h * 0.6} ${c.random.whole(-16, 20)} ${-h}q4 ${h * 0.6} 8 ${h}z`
  }
  c.shape(reeds, '#0a1a28')
  haze(c, 760, 1080, '#0c2236', 0.3)
  birds(c, 960, 330, 5, '#1c3f58', 14)
  motes(c, 120, [420, 1030], '#d9ffa8', { opacity: 0.85, size: [1.4, 3.8] })
  finish(c, '#070e1a')
}

export const logo = () =>
  badge(
    ['#3fc0a0', '#1c2460'],
    fill('M38 82q4-16 1-30h18q-3 14 1 30z', '#f2ffe8') +
      fill('M50 52h7q-3 14 1 30h-8z', '#b8dcc8') +
      fill('M12 54q2-40 36-40t36 40q-36 14-72 0z', '#f58ad0') +
      fill('M52 14q32 4 32 40-14 6-30 6.500 16-22-2-46.500z', '#b04ab0') +
      '<g fill="#fff4fb"><ellipse cx="30" cy="42" rx="6" ry="5"/><ellipse cx="46" cy="28" rx="7" ry="6"/><ellipse cx="60" cy="46" rx="6" ry="5"/></g>',
  )
