// Roblox: an obstacle course of studded bricks floating over a bright evening.
import { darker, lighter, polygon } from '../canvas.mjs'
import { cloud, finish, glow, haze, mist, motes, sky, stars } from '../landscape.mjs'
import { badge, fill } from '../badge.mjs'

export const slug = 'roblox'

/** A brick of `across` by `deep` studs seen from above at an angle. */
const brick = (c, x, y, across, deep, height, colour, u = 34) => {
  const v = u * 0.5
  const at = (a, d) => [x + (a - d) * u, y + (a + d) * v]
  const [n, e, s, w] = [at(0, 0), at(across, 0), at(across, deep), at(0, deep)]
  const down = ([px, py]) => [px, py + height]
  c.shape(polygon([w, s, down(s), down(w)]), colour)
  c.shape(polygon([s, e, down(e), down(s)]), darker(colour, 0.32))
  c.shape(polygon([n, e, s, w]), lighter(colour, 0.24))
  let sides = ''
  let tops = ''
  for (let a = 0; a < across; a += 1) {
    for (let d = 0; d < deep; d += 1) {
      const [sx, sy] = at(a + 0.5, d + 0.5)
      const [rx, ry] = [u * 0.34, u * 0.19]
      const top = sy - u * 0.16
      sides += `M${Math.round(sx - rx)} ${Math.round(top)}v${Math.round(u * 0.16)}a${Math.round(rx)} ${Math.round(ry)} 0 0 0 ${Math.round(rx * 2)} 0v${-Math.round(u * 0.16)}z`
      tops += `M${Math.round(sx - rx)} ${Math.round(top)}a${Math.round(rx)} ${Math.round(ry)} 0 1 1 ${Math.round(rx * 2)} 0 ${Math.round(rx)} ${Math.round(ry)} 0 1 1${-Math.round(rx * 2)} 0z`
    }
  }
  c.shape(sides, darker(colour, 0.12))
  c.shape(tops, lighter(colour, 0.42))
}

const figure = (c, x, base, s, [shirt, trousers]) => {
  c.group(`transform="translate(${x} ${base}) scale(${s})"`, () => {
    c.shape('M-18-44h16V0h-16zM2-44h16V0H2z', trousers)
    c.shape('M2-44h16V0H2z', darker(trousers, 0.3))
    c.add(`<rect x="-20" y="-88" width="40" height="46" rx="4" fill="${shirt}"/>`)
    c.add(`<path d="M4-88h12q4 0 4 4v42H4z" fill="${darker(shirt, 0.28)}"/>`)
    c.add(`<rect x="-36" y="-88" width="15" height="40" rx="5" fill="#ffd27a"/><rect x="21" y="-122" width="15" height="46" rx="5" fill="#e8b45a"/>`)
    c.add(`<rect x="-14" y="-120" width="28" height="30" rx="9" fill="#ffd98a"/><path d="M-6-108h4v6h-4zM4-108h4v6h-4zM-6-98q7 6 14 0" fill="#4a2f2a"/>`)
  })
}

export function backdrop(c) {
  sky(c, '#20307f', '#4a78d8', ['#8fc0f4', 0.52], ['#ffd9c4', 0.78], '#ffb8a0')
  stars(c, 50, 240)
  glow(c, 700, 620, 620, '#fff0cf', 0.7)
  c.circle(700, 560, 80, '#fffbe8')
  for (const [x, y, w] of [[40, 330, 460], [1240, 220, 520], [860, 420, 420], [1560, 480, 420], [300, 560, 420]]) cloud(c, x, y, w, '#fff', 0.7)
  brick(c, 220, 250, 3, 3, 24, '#8fb0ea', 20)
  brick(c, 1720, 230, 4, 3, 24, '#9ab4ea', 20)
  brick(c, 980, 210, 2, 2, 22, '#a9bcf0', 18)
  mist(c, 760, 280, '#ffe4d4', 0.6)
  // The course climbs from left to right.
  brick(c, 330, 640, 6, 5, 60, '#58c46a', 32)
  brick(c, 330, 560, 2, 2, 60, '#3f9a58', 32)
  brick(c, 660, 730, 2, 2, 34, '#f2b23c', 32)
  brick(c, 800, 680, 2, 2, 34, '#ef7a3c', 32)
  brick(c, 940, 620, 2, 2, 34, '#e8505f', 32)
  brick(c, 1070, 550, 2, 2, 34, '#b058d8', 32)
  brick(c, 1420, 500, 6, 6, 70, '#4a8cf0', 34)
  brick(c, 1420, 400, 3, 3, 72, '#f25f6a', 34)
  brick(c, 1420, 330, 1, 1, 60, '#ffd04a', 34)
  // A cup of gold at the top.
  glow(c, 1420, 290, 150, '#ffe27a', 0.75)
  c.shape('M1388 232h64q0 60-24 70v14h16v14h-48v-14h16v-14q-24-10-24-70z', '#ffd04a')
  c.shape('M1420 232h32q0 60-24 70v14h16v14h-24z', '#e0a02c')
  c.line('M1388 242h-20q0 34 28 40M1452 242h20q0 34-28 40', '#ffd04a', 8)
  brick(c, 1740, 690, 3, 3, 44, '#38bfa8', 32)
  brick(c, 1180, 800, 3, 2, 36, '#6a6af0', 30)
  brick(c, 120, 860, 3, 2, 40, '#f28f5a', 30)
  figure(c, 250, 726, 1, ['#e8505f', '#2f4fa8'])
  figure(c, 804, 690, 0.86, ['#3f7fe8', '#2a3560'])
  figure(c, 1330, 620, 0.9, ['#f2b23c', '#3a6a4a'])
  // Coins over the steps.
  for (const [x, y] of [[660, 660], [940, 550], [1070, 480], [1200, 440], [1740, 640]]) { glow(c, x, y, 44, '#ffe27a', 0.6); c.ellipse(x, y, 15, 19, '#ffd04a'); c.ellipse(x - 3, y, 8, 13, '#fff0a8') }
  for (const [x, y, w] of [[-120, 960, 700], [460, 1010, 640], [980, 970, 720], [1480, 1000, 640]]) cloud(c, x, y, w, '#8f8fd8', 0.85)
  haze(c, 760, 1080, '#5a4aa0', 0.5)
  motes(c, 60, [180, 980], '#fff', { opacity: 0.6, square: true, size: [1.4, 3.2] })
  finish(c, '#0d0d22', { foot: 0.85 })
}

export const logo = () =>
  badge(
    ['#5f8ff4', '#1c2470'],
    fill('M48 26 82 43 48 60 14 43z', '#ffe27a') +
      fill('M14 43 48 60v24L14 67z', '#f2a83c') +
      fill('M82 43 48 60v24l34-17z', '#b8682c') +
      fill('M22 40v-5a11 6 0 0 1 22 0v5a11 6 0 0 1-22 0zM52 40v-5a11 6 0 0 1 22 0v5a11 6 0 0 1-22 0zM37 31v-6a11 6 0 0 1 22 0v6a11 6 0 0 1-22 0zM37 49v-5a11 6 0 0 1 22 0v5a11 6 0 0 1-22 0z', '#e8a83c') +
      '<g fill="#fff4c2"><ellipse cx="48" cy="25" rx="11" ry="6"/><ellipse cx="33" cy="35" rx="11" ry="6"/><ellipse cx="63" cy="35" rx="11" ry="6"/><ellipse cx="48" cy="44" rx="11" ry="6"/></g>',
  )
