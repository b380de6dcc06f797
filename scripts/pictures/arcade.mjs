// The site's own backdrop, a night with motifs of every game, and the sample tiles of the Arcade.
import { box, dot, mix, polygon } from './canvas.mjs'
import { beams, birds, cloud, glow, haze, land, mist, motes, outline, peak, pines, sky, skyline, stars, streaks } from './landscape.mjs'
import { crystal, dome, pagoda, palm, rampart, silhouette, tower, windmill } from './motifs.mjs'

const INK = '#0b0a14'

/** The backdrop on a canvas of any size; the drawing itself is 1920 × 1080, and `drop` moves it down. */
export function arcadeNight(c, { podium = true, drop = 0 } = {}) {
  const [w, h] = [c.width, c.height]
  sky(c, '#08070f', '#120d28', ['#2a1758', 0.52], ['#5b2fb0', 0.7], '#120b26')
  stars(c, 260, h * 0.6, '#e4dcff')
  c.group(`transform="translate(0 ${drop})"`, () => c.cover(1920, 1080, () => scene(c, podium)))
  c.rect(0, h * 0.72, w, h * 0.29, c.vertical([INK, 0, 0], [INK, 1, podium ? 0.92 : 0.5]))
  c.rect(0, 0, w, h, c.radial([INK, 0.55, 0], [INK, 1, 0.5]))
}

function scene(c, podium) {
  glow(c, 960, 760, 900, '#8b5cf6', 0.6)
  glow(c, 1320, 700, 420, '#c084fc', 0.35)
  streaks(c, 14, 300, 620, '#b794ff', 0.16)
  // In the distance: a motif of each game as a violet silhouette.
  land(c, outline(c, 716, 44, { swell: 2 }), c.verticalBetween(640, 800, '#4a2a94', '#7c4dd8'))
  for (const [x, y, half] of [[640, 560, 150], [760, 600, 120], [520, 610, 110]]) peak(c, x, y, 780, half, { lit: '#6a45c0', shade: '#4a2d96', foot: '#7a50d8', snow: '#a98cf0' })
  mist(c, 740, 140, '#9a6cf4', 0.4)
  const body = '#2c1a60'
  const dim = '#231450'
  // Blocks on the left.
  c.shape([[0, 700], [40, 680], [80, 660], [120, 660], [160, 680], [200, 700], [240, 720], [280, 740]].map(([x, y]) => box(x, y, 41, 400)).join(''), body)
  c.shape(box(96, 580, 20, 90) + box(56, 540, 100, 50) + box(76, 500, 60, 50) + box(222, 640, 16, 80) + box(190, 610, 80, 40) + box(206, 580, 48, 34), dim)
  pagoda(c, 400, 780, 130, 4, { wall: body, shade: dim, roof: '#1d1044', light: '#c9a8ff' })
  const keep = { lit: '#33206c', shade: dim, roof: '#1f1148', light: '#ffcf7a' }
  tower(c, 640, 780, 46, 170, { ...keep, windows: 3, flag: '#a78bfa' })
  tower(c, 590, 780, 32, 110, { ...keep, windows: 2 })
  tower(c, 690, 780, 32, 120, { ...keep, windows: 2 })
  rampart(c, 560, 786, 160, 46, '#2f1c66', 7)
  windmill(c, 840, 784, 150, { lit: '#33206c', shade: dim, roof: '#1f1148', sail: '#6a4fb0', turn: 0.5 })
  skyline(c, 790, { from: 1010, to: 1290, widths: [22, 46], heights: [60, 230], fill: body, lights: ['#c9a8ff', '#7fe0ff'], share: 0.22, cell: [9, 14] })
  c.shape(polygon([[960, 520], [978, 560], [970, 740], [960, 756], [950, 740], [942, 560]]), dim)
  c.shape('M958 560h4l2 90-4 20-4-20z', '#9ff0ff', 'opacity=".8"')
  dome(c, 1640, 786, 90, 60, { lit: body, shade: dim, cap: '#3a2478', light: '#ffcf7a', onion: 0.3 })
  dome(c, 1570, 788, 50, 34, { lit: body, shade: dim, cap: '#3a2478' })
  dome(c, 1710, 788, 50, 34, { lit: body, shade: dim, cap: '#3a2478' })
  for (const [x, tall, lean] of [[1778, 190, 0.1], [1830, 150, -0.1], [1890, 230, -0.1]]) palm(c, x, 800, tall, { trunk: dim, leaf: '#1f1148', under: '#2c1a60', lean })
  for (const [x, wide, tall, lean] of [[900, 22, 84, -0.08], [918, 16, 54, 0.14]]) crystal(c, x, 800, wide, tall, { lit: '#8f6af0', shade: '#4a2d96', lean })
  if (podium) silhouette(c, 'dragon', 1130, 420, 150, '#2a1862')
  if (podium) silhouette(c, 'pterosaur', 480, 470, 90, '#321d70')
  birds(c, 800, 500, 5, '#3a2478', 13)
  haze(c, 680, 810, '#8b5cf6', 0.3)
  // The floor, with lines towards the vanishing point.
  c.rect(0, 796, 1920, 284, c.vertical('#2b1663', INK))
  const lines = Array.from({ length: 25 }, (_, i) => `M${960 + (i - 12) * 84} 796L${960 + (i - 12) * 330} 1080`).join('') + [800, 812, 832, 864, 914, 990].map((y) => `M0 ${y}H1920`).join('')
  c.line(lines, '#a78bfa', 2, 'opacity=".26"')
  c.rect(0, 794, 1920, 3, c.horizontal(['#c4b5fd', 0, 0], ['#e9ddff', 0.5, 0.9], ['#c4b5fd', 1, 0]))
  if (podium) stage(c, 1330, 880)
  motes(c, 60, [460, 1000], '#d9c9ff', { opacity: 0.55 })
  motes(c, 18, [520, 900], '#ffd98a', { opacity: 0.8, size: [1.4, 3.2] })
}

/** A podium with a cup in a beam of light. */
function stage(c, x, base) {
  c.shape(polygon([[x - 26, 0], [x + 26, 0], [x + 210, base], [x - 210, base]]), c.vertical(['#c4b5fd', 0, 0], ['#c4b5fd', 1, 0.22]))
  c.ellipse(x, base + 14, 330, 34, '#a78bfa', 'opacity=".16"')
  const step = (left, top, wide, front) => {
    c.shape(polygon([[left, top], [left + 16, top - 14], [left + wide - 16, top - 14], [left + wide, top]]), mix(front, '#ffffff', 0.22))
    c.shape(box(left, top, wide, base + 10 - top), c.vertical(front, '#1c0f42'))
  }
  step(x - 214, base - 66, 142, '#4a2d96')
  step(x + 72, base - 44, 142, '#3f2684')
  step(x - 78, base - 116, 156, '#6b3fd0')
  c.shape(box(x - 78, base - 116, 156, 5), '#f5b83d')
  c.shape(box(x - 214, base - 66, 142, 4), '#c9c6dc', 'opacity=".7"')
  c.shape(box(x + 72, base - 44, 142, 4), '#c98a5c', 'opacity=".7"')
  const y = base - 132
  glow(c, x, y - 60, 190, '#ffd36a', 0.5)
  c.shape(`M${x - 44} ${y - 124}h88q2 78-34 92v16h20v16h-60v-16h20v-16q-36-14-34-92z`, c.vertical('#ffe59a', '#e8a33c'))
  c.shape(`M${x + 6} ${y - 124}h38q2 78-34 92v16h20v16h-24z`, '#b8742a', 'opacity=".7"')
  c.line(`M${x - 44} ${y - 110}h-26q0 46 38 54M${x + 44} ${y - 110}h26q0 46-38 54`, '#f5b83d', 9)
  c.shape(`M${x} ${y - 108}l7 15 16 2-12 11 3 16-14-8-14 8 3-16-12-11 16-2z`, '#fff6d8')
}

const TILES = [
  // A crown between crossed swords, for medieval games.
  (c) => {
    c.rect(0, 0, 512, 288, c.diagonal('#3a1470', '#8f2a6a', '#f0803c'))
    beams(c, 256, 150, 420, '#ffe6b0', { count: 18, opacity: 0.12, spread: 0.08 })
    glow(c, 256, 140, 190, '#ffd98a', 0.7)
    peak(c, 70, 150, 290, 130, { lit: '#6a2a7c', shade: '#431a5c', foot: '#b0486a' })
    peak(c, 450, 140, 290, 140, { lit: '#6a2a7c', shade: '#431a5c', foot: '#b0486a' })
    c.group('transform="translate(256 138) scale(1.55) translate(-48 -48)"', () => {
      c.shape('M6 6 22 10 74 66 66 74 8 22z', '#fff4e4')
      c.shape('M6 6 74 66 66 74z', '#c9a8b4')
      c.shape('M90 6 74 10 22 66 30 74 88 22z', '#fff4e4')
      c.shape('M90 6 88 22 30 74 26 70z', '#c9a8b4')
      c.shape('M82 56 56 82 62 88 68 82 82 96 92 86 78 72 88 62zM14 56 40 82 34 88 28 82 14 96 4 86 18 72 8 62z', '#5a1a3a')
      c.shape('M20 62 14 30 34 44 48 20 62 44 82 30 76 62z', '#ffd45a')
      c.shape('M48 20 62 44 82 30 76 62H48z', '#e0982c')
      c.shape('M20 64h56v10H20z', '#ffe8a0')
      c.shape('M48 38 56 50 48 58 40 50z', '#c8304a')
      c.shape(dot(14, 27, 5) + dot(82, 27, 5) + dot(48, 16, 5), '#ffe8a0')
    })
    const front = land(c, outline(c, 262, 10), '#2a0f3a')
    pines(c, front, 20, [18, 44], '#2a0f3a')
    motes(c, 50, [20, 270], '#ffe6a0', { size: [0.8, 2.2] })
  },
  // Pixel creatures above a bright grid, for pixel games.
  (c) => {
    c.rect(0, 0, 512, 288, c.vertical('#0d0a2e', '#2b1663', '#c0429a'))
    stars(c, 130, 240)
    c.circle(392, 120, 62, c.vertical('#ffe6a0', '#ff5f9a'))
    c.shape([0, 1, 2, 3].map((i) => box(326, 128 + i * 13, 132, 3 + i)).join(''), '#4a1a80')
    c.rect(0, 206, 512, 82, c.vertical('#3a1470', '#0d0a2e'))
    c.line(Array.from({ length: 15 }, (_, i) => `M${256 + (i - 7) * 26} 206L${256 + (i - 7) * 130} 288`).join('') + 'M0 212H512M0 222H512M0 238H512M0 262H512', '#ff7ac8', 1.4, 'opacity=".6"')
    const creature = ['1100000011', '1110000111', '1111111111', '1100110011', '1100110011', '1111111111', '0111001110', '0011111100']
    const pixels = (x, y, u) => creature.map((row, j) => [...row].map((bit, i) => (bit === '1' ? box(x + i * u, y + j * u, u + 0.4, u + 0.4, 1) : '')).join('')).join('')
    glow(c, 170, 120, 150, '#5ff0ff', 0.5)
    c.shape(pixels(100, 64, 14), '#7ff4ff')
    c.shape(pixels(260, 40, 5), '#ff9ad0')
    c.shape(pixels(30, 36, 4), '#ffe08a')
    c.shape('M236 256h48v-12h-8v-10h-10v-14h-12v14h-10v10h-8z', '#f6f3ff')
    c.shape(box(258, 196, 4, 14) + box(258, 168, 4, 14), '#ffe08a')
    motes(c, 26, [20, 200], '#fff', { square: true, size: [0.8, 1.6] })
  },
  // A coast road at dusk, for driving games.
  (c) => {
    sky(c, '#0c2b5c', '#1f8fa8', ['#ffd08a', 0.7], '#ff9a6a')
    glow(c, 180, 190, 240, '#fff0b0', 0.8)
    c.circle(180, 180, 40, '#fff6d8')
    cloud(c, 260, 80, 180, '#fff', 0.6)
    cloud(c, -20, 60, 160, '#fff', 0.5)
    skyline(c, 212, { from: 250, widths: [14, 30], heights: [30, 120], fill: c.verticalBetween(90, 212, '#1f5a86', '#7fa8a0'), lights: ['#ffe6a0'], share: 0.3, cell: [7, 10] })
    c.rect(0, 208, 512, 26, '#2fa0b0')
    c.shape(Array.from({ length: 18 }, (_, i) => box(110 + ((i * 37) % 140), 210 + ((i * 7) % 22), 18 + ((i * 13) % 24), 1.6, 1)).join(''), '#fff6d8', 'opacity=".7"')
    c.shape('M-10 230Q180 218 522 226V288H-10z', '#123a52')
    c.shape('M-10 256Q200 240 522 250V288H-10z', '#0a2236')
    c.shape(Array.from({ length: 8 }, (_, i) => box(10 + i * 70, 270 - Math.round(Math.sin((i / 7) * 3.14) * 4), 36, 4)).join(''), '#ffe6a0', 'opacity=".85"')
    c.group('transform="translate(310 250) scale(1.35)"', () => {
      c.shape('M-96 8q-2-22 18-28l32-6 30-24q6-4 14-4h34q8 0 14 4l30 24 18 6q12 4 10 28l-8 4H-90z', '#ff4f5f')
      c.shape('M20-54h12q8 0 14 4l30 24 18 6q12 4 10 28l-8 4H20z', '#c22f4a')
      c.shape('M-36-28l22-18q4-3 9-3H6v21zM14-49h14q6 0 10 3l24 18H14z', '#bfeaff')
      c.shape('M-96-4h14v8h-14zM88-6h14v8H88z', '#ffe6a0')
      c.shape(dot(-56, 10, 17) + dot(58, 10, 17), '#0b1522')
      c.shape(dot(-56, 10, 8) + dot(58, 10, 8), '#c8d8e4')
    })
    for (const [x, tall, lean] of [[40, 190, 0.12], [96, 140, -0.1], [486, 200, -0.12]]) palm(c, x, 262, tall, { trunk: '#0a2236', leaf: '#0d3a44', under: '#0a2c3a', lean })
    birds(c, 250, 70, 5, '#123a52', 7)
  },
]

/** The advertising tile with this number (from 1), on a 512 × 288 canvas. */
export function arcadeTile(c, number) {
  TILES[number - 1](c)
  c.rect(0, 0, 512, 288, c.radial([INK, 0.62, 0], [INK, 1, 0.42]))
}
