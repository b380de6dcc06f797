// Silkroad Online: a wall over golden mountains and a caravan on the long road.
import { box, polygon } from '../canvas.mjs'
import { birds, cloud, finish, glow, haze, heightAt, land, mist, motes, outline, peak, sky, streaks, sun } from '../landscape.mjs'
import { pagoda, palm, silhouette } from '../motifs.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'silkroad-online'

/** A wall riding along the crest of the land, with watch towers. */
const greatWall = (c, crest, towers, [lit, shade, cap]) => {
  const points = []
  for (let x = crest[0][0]; x <= crest.at(-1)[0]; x += 24) points.push([x, heightAt(crest, x)])
  c.shape(polygon([...points.map(([x, y]) => [x, y - 34]), ...points.map(([x, y]) => [x, y + 14]).reverse()]), lit)
  c.shape(polygon([...points.map(([x, y]) => [x, y - 8]), ...points.map(([x, y]) => [x, y + 14]).reverse()]), shade)
  c.shape(points.map(([x, y]) => box(x, y - 44, 12, 12)).join(''), lit)
  for (const [x, s] of towers) {
    const y = heightAt(crest, x) + 20
    c.shape(box(x - 34 * s, y - 110 * s, 68 * s, 110 * s), lit)
    c.shape(box(x + 4 * s, y - 110 * s, 30 * s, 110 * s), shade)
    c.shape(box(x - 40 * s, y - 118 * s, 80 * s, 12 * s) + Array.from({ length: 4 }, (_, i) => box(x - 40 * s + i * 22 * s, y - 130 * s, 13 * s, 14 * s)).join(''), lit)
    c.shape(box(x - 22 * s, y - 84 * s, 14 * s, 22 * s) + box(x + 10 * s, y - 84 * s, 14 * s, 22 * s), cap)
  }
}

export function backdrop(c) {
  sky(c, '#1c4a5c', '#3f8a8a', ['#f2c47a', 0.56], ['#ffe6a8', 0.72])
  sun(c, 1180, 430, 84, '#ffdf8a', { halo: 8, strength: 0.65 })
  streaks(c, 12, 160, 420, '#ffe9c0', 0.4)
  for (const [x, y, w] of [[80, 290, 480], [760, 220, 420], [1500, 300, 460]]) cloud(c, x, y, w, '#fff0cf', 0.6)
  const rock = { lit: '#d9a878', shade: '#8a8078', foot: '#ffd99a', snow: '#fff6e0', snowline: 0.3 }
  for (const [x, y, w] of [[220, 380, 320], [520, 460, 240], [880, 490, 240], [1700, 360, 360], [1420, 480, 240]]) peak(c, x, y, 790, w, rock)
  mist(c, 700, 220, '#ffe0a0', 0.65)
  const ridge = land(c, outline(c, 690, 80, { swell: 1.9, step: 80 }), c.verticalBetween(600, 840, '#a5804f', '#e0b878'))
  greatWall(c, ridge, [[180, 0.8], [620, 0.7], [1080, 0.75], [1560, 0.8]], ['#d8b483', '#9a7858', '#5a4438'])
  haze(c, 640, 860, '#ffd08a', 0.35)
  const near = land(c, [[-20, 740], [160, 720], [330, 760], [520, 830], [760, 860], [1100, 850], [1300, 810], [1500, 770], [1720, 760], [1940, 790]], c.verticalBetween(720, 920, '#9a6f42', '#5a4234'))
  pagoda(c, 1600, 776, 250, 3, { wall: '#e8b880', shade: '#b07a52', roof: '#1f6a6c', light: '#ffe59a' })
  greatWall(c, near.slice(0, 4), [[160, 1.15]], ['#c49a6c', '#80603f', '#4a3428'])
  palm(c, 1380, 810, 200, { trunk: '#5a3f30', leaf: '#4a7a52', under: '#3a6548', lean: 0.1 })
  palm(c, 1790, 790, 240, { trunk: '#5a3f30', leaf: '#4a7a52', under: '#3a6548', lean: -0.1 })
  // The road winds from the gate to the front.
  c.shape('M1500 774q-160 36-300 60t-330 30-190 60 240 156h420q-300-90-340-140t180-80 340-50 260-36z', '#f0cf94', 'opacity=".75"')
  const sand = land(c, outline(c, 930, 26, { swell: 1.3 }), c.verticalBetween(890, 1080, '#7a5238', '#20141a'))
  for (const [x, s, colour] of [[560, 170, '#c8443f'], [760, 180, '#2f8a86'], [970, 190, '#e0a33c'], [1190, 200, '#c8443f']]) {
    const y = heightAt(sand, x) + 12
    silhouette(c, 'camel', x, y, s, '#33202a')
    const u = s / 200
    c.shape(`M${Math.round(x - 44 * u)} ${Math.round(y - 66 * u)}q${Math.round(30 * u)} ${Math.round(-34 * u)} ${Math.round(66 * u)} 0l${Math.round(-4 * u)} ${Math.round(34 * u)}h${Math.round(-56 * u)}z`, colour)
    c.shape(`M${Math.round(x - 44 * u)} ${Math.round(y - 66 * u)}l${Math.round(66 * u)} 0l${Math.round(-1 * u)} ${Math.round(8 * u)}h${Math.round(-64 * u)}z`, '#ffe0a0', 'opacity=".8"')
  }
  silhouette(c, 'soldier', 1330, heightAt(sand, 1330) + 12, 140, '#33202a')
  silhouette(c, 'rider', 360, heightAt(sand, 360) + 12, 190, '#33202a')
  // Lanterns on a line at the roadside.
  c.shape(box(80, 660, 12, 330) + box(1830, 700, 12, 300), '#2a1a1c')
  c.line('M86 670q-20 60-90 70M1836 710q30 60 100 60M86 670q60 50 160 46', '#2a1a1c', 4)
  for (const [x, y] of [[30, 742], [150, 730], [236, 722], [1880, 770]]) { glow(c, x, y + 16, 60, '#ff9a4a', 0.7); c.ellipse(x, y + 18, 18, 22, '#e8503f'); c.ellipse(x - 5, y + 18, 7, 17, '#ffb46a'); c.rect(x - 8, y - 6, 16, 5, '#4a2a20'); c.rect(x - 8, y + 38, 16, 5, '#4a2a20') }
  land(c, outline(c, 1010, 20, { swell: 1.6 }), '#1c1117')
  birds(c, 920, 330, 8, '#4a5a58', 16)
  motes(c, 70, [420, 1010], '#ffe9b0', { opacity: 0.6 })
  finish(c, '#100b10')
}

export const logo = () =>
  badge(
    ['#2fa098', '#6a2f22'],
    '<circle cx="62" cy="30" r="14" fill="#ffe08a"/>' +
      fill('M8 70q20-14 40-6t40-6v18q-8 10-20 10H28q-14 0-20-10z', '#e0a85a') +
      fill('M20 74 22 58q-6-12 2-20 4-6 8 0 3 6 5 10 3-14 10-16 8 2 11 18 4 0 5-4l3-16q3-7 9-6l10 4-1 6-9-1-3 15q-3 10-10 12l-2 16h-6l-2-14H34l-4 14h-5z', '#4a1f22') +
      fill('M34 50q4-16 11-17 8 2 12 18l-3 12H38z', '#d9453a') +
      fill('M35 47q3-2 20 0l1 5H34z', '#ffcf6a'),
  )
