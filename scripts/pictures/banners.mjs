// Banners of demonstration servers, 1200 × 400: twenty scenes, each with two skies.
import { box, randomSource, darker, dot, lighter, mix, polygon, short } from './canvas.mjs'
import { beams, birds, cloud, glow, haze, heightAt, land, mist, moon, motes, outline, peak, pines, sky, skyline, stars, streaks, sun, water } from './landscape.mjs'
import { arches, crystal, dome, gear, island, pagoda, palm, rampart, silhouette, tower, tree, windmill } from './motifs.mjs'

/** A sky (top, middle, horizon), its light, the near land, and an accent for windows and magic. */
const tone = (top, middle, horizon, light, ground, accent) => ({
  top, middle, horizon, light, ground, accent,
  far: mix(ground, horizon, 0.62),
  mid: mix(ground, horizon, 0.36),
  near: mix(ground, horizon, 0.14),
  ink: darker(ground, 0.55),
})

const SKIES = {
  violet: tone('#170f3d', '#5a2f8f', '#f08fa0', '#ffd9a8', '#2b1a55', '#ffcf6a'),
  ember: tone('#200c1c', '#8f2a32', '#ff9a4f', '#ffe0a0', '#3f1524', '#ffd27a'),
  teal: tone('#0c2740', '#1f7f8f', '#b8ecc8', '#fff4c0', '#0f4a55', '#8ffff0'),
  ice: tone('#0b1738', '#2f62a0', '#cfe6f0', '#ffffff', '#1f3d6b', '#ffd27a'),
  gold: tone('#3a2a52', '#c0704a', '#ffd98a', '#fff2c0', '#6a3f2c', '#fff0b0'),
  rose: tone('#34307f', '#a878c8', '#ffd0d0', '#fff6e0', '#5a3f86', '#ffe08a'),
  forest: tone('#0d2426', '#2f6a5a', '#d9e8a0', '#fbffd0', '#14403a', '#c9ff8a'),
  neon: tone('#0d0a2e', '#5a1f86', '#ff5f9a', '#ffc48a', '#1d0f45', '#5ff0ff'),
  storm: tone('#12181f', '#3a4a55', '#b8b89a', '#fff6d0', '#1f2b30', '#ffb45a'),
  ocean: tone('#0a1c4a', '#2a6fc0', '#a8e0f0', '#ffffff', '#123f70', '#ffe08a'),
}

const open = (c, p, { star = 60, x = 320, y = 210, r = 34, lamp = sun } = {}) => {
  sky(c, p.top, p.middle, [p.horizon, 0.75], lighter(p.horizon, 0.25))
  stars(c, star, 180)
  lamp(c, x, y, r, p.light, { halo: 6 })
}

const stone = (p) => ({ lit: lighter(p.mid, 0.25), shade: p.near, roof: darker(p.middle, 0.25), light: p.accent })

/** The scenes. Each draws from far to near. */
const SCENES = {
  peaks(c, p) {
    open(c, p, { lamp: moon })
    for (const [x, y, w] of [[120, 150, 170], [520, 130, 210], [860, 170, 160], [1110, 120, 190]]) peak(c, x, y, 330, w, { lit: lighter(p.mid, 0.2), shade: p.mid, foot: p.horizon, snow: lighter(p.horizon, 0.6) })
    mist(c, 300, 110, lighter(p.horizon, 0.4), 0.6)
    const slope = land(c, outline(c, 320, 24), c.verticalBetween(290, 400, p.near, p.ink))
    pines(c, slope, 34, [36, 80], p.ground)
  },
  castle(c, p) {
    open(c, p, { x: 300, y: 190 })
    streaks(c, 8, 70, 200, p.light, 0.3)
    land(c, outline(c, 280, 40), c.verticalBetween(230, 340, p.far, p.horizon))
    haze(c, 220, 340, p.horizon, 0.5)
    land(c, [[520, 400], [640, 320], [760, 290], [980, 288], [1080, 330], [1200, 390]], c.verticalBetween(280, 400, p.mid, p.ground))
    const s = stone(p)
    tower(c, 860, 295, 46, 150, { ...s, windows: 3, flag: p.accent })
    for (const [x, h] of [[810, 100], [912, 110]]) tower(c, x, 295, 30, h, { ...s, windows: 2 })
    rampart(c, 760, 305, 200, 44, s.lit, 7)
    for (const x of [760, 960]) tower(c, x, 310, 36, 70, { ...s, windows: 1 })
    const front = land(c, outline(c, 350, 20), c.verticalBetween(330, 400, p.ground, p.ink))
    pines(c, front, 24, [30, 70], p.ink)
    birds(c, 600, 120, 5, p.ground, 10)
  },
  islands(c, p) {
    open(c, p, { x: 560, y: 220, r: 30 })
    beams(c, 560, 220, 700, '#fff', { count: 10, opacity: 0.08 })
    for (const [x, y, w] of [[-40, 180, 300], [420, 150, 260], [860, 210, 320], [240, 330, 360], [700, 350, 400]]) cloud(c, x, y, w, lighter(p.horizon, 0.5), 0.6)
    const rock = { top: mix('#6fcf8f', p.mid, 0.3), lit: p.far, shade: p.mid }
    for (const [x, y, w, d] of [[250, 210, 240, 120], [900, 190, 300, 140], [600, 120, 90, 50], [1120, 110, 80, 46]]) island(c, x, y, w, d, rock)
    tower(c, 900, 188, 32, 100, { ...stone(p), windows: 3, flag: p.accent })
    for (const [x, y, h] of [[180, 208, 70], [310, 208, 60], [820, 188, 70], [990, 188, 80]]) tree(c, x, y, h, { trunk: p.ground, leaf: mix('#3fae8d', p.mid, 0.35) })
    c.shape(`M960 200v200h12l-4-200z`, c.vertical(['#fff', 0, 0.8], ['#fff', 1, 0]))
    cloud(c, -60, 400, 500, p.mid, 0.7)
    cloud(c, 760, 410, 520, p.mid, 0.7)
  },
  city(c, p) {
    open(c, p, { x: 700, y: 210, r: 64 })
    streaks(c, 10, 80, 220, p.light, 0.3)
    skyline(c, 300, { widths: [16, 44], heights: [30, 130], fill: c.verticalBetween(170, 300, p.far, p.horizon) })
    skyline(c, 310, { widths: [26, 60], heights: [50, 210], fill: c.verticalBetween(110, 310, p.ground, p.near), lights: [p.accent, p.light, '#ff7ab8'], share: 0.26, cell: [9, 14], shape: (t) => 0.35 + 0.8 * Math.abs(Math.sin(t * 5 + 0.6)) })
    water(c, 308, c.vertical(p.near, p.ink), p.light, { x: 700, width: 240, count: 34 })
    for (const [x, h, l] of [[60, 220, 0.1], [150, 160, -0.1], [1140, 230, -0.12]]) palm(c, x, 400, h, { trunk: p.ink, leaf: p.ink, under: darker(p.ground, 0.3), lean: l })
  },
  dunes(c, p) {
    open(c, p, { star: 120, lamp: moon, x: 880, y: 110, r: 36 })
    land(c, outline(c, 290, 20), c.verticalBetween(250, 340, p.far, p.horizon))
    dome(c, 300, 300, 80, 40, { ...stone(p), cap: p.accent, onion: 0.3 })
    for (const x of [220, 380]) tower(c, x, 300, 16, 80, { ...stone(p), roof: p.accent, roofHeight: 20 })
    dome(c, 440, 302, 50, 26, { ...stone(p), cap: p.accent })
    haze(c, 250, 330, p.light, 0.3)
    c.shape('M-10 330Q200 300 420 330T820 310 1210 340V400H-10z', c.verticalBetween(300, 400, p.mid, p.near))
    const crest = [[-10, 370], [260, 372], [520, 350], [800, 336], [1000, 352], [1210, 380]]
    land(c, crest, c.verticalBetween(330, 400, p.near, p.ink))
    for (let i = 0; i < 4; i += 1) silhouette(c, 'camel', 620 + i * 62, heightAt(crest, 620 + i * 62) + 6, 78, p.ink)
    palm(c, 160, 376, 110, { trunk: p.ink, leaf: p.ground, lean: 0.1 })
    palm(c, 210, 380, 80, { trunk: p.ink, leaf: p.ground, lean: -0.1 })
  },
  blocks(c, p) {
    open(c, p, { star: 20, r: 1 })
    glow(c, 880, 150, 220, p.light, 0.6)
    c.rect(840, 110, 80, 80, p.light)
    for (const [x, y, n] of [[80, 90, 5], [420, 60, 6], [1020, 90, 4]]) c.shape(box(x, y, n * 24, 20) + box(x + 24, y - 20, (n - 2) * 24, 20), '#fff', 'opacity=".3"')
    for (const [base, rise, cell, colour, swell] of [[260, 50, 16, p.far, 1.4], [310, 40, 20, mix('#5aa35c', p.mid, 0.35), 1.8], [350, 34, 24, mix('#2f7a46', p.ground, 0.4), 1.2]]) {
      const phase = c.random.between(0, 6)
      const columns = Array.from({ length: Math.ceil(1200 / cell) }, (_, i) => [i * cell, base - Math.round(((Math.sin((i * cell * swell) / 190 + phase) + c.random.between(-0.2, 0.2)) * rise) / cell) * cell])
      c.shape(columns.map(([x, y]) => box(x, y, cell + 1, 400 - y)).join(''), mix(colour, p.ink, 0.45))
      c.shape(columns.map(([x, y]) => box(x, y, cell + 1, cell)).join(''), colour)
      if (cell < 20) continue
      for (const i of [4, 12, 21, 33, 41]) {
        const [x, y] = columns[i] ?? columns[0]
        c.shape(box(x, y - cell * 2, cell * 0.8, cell * 2), '#54392c')
        c.shape(box(x - cell, y - cell * 4, cell * 3, cell * 2) + box(x - cell * 0.4, y - cell * 5, cell * 1.6, cell), lighter(colour, 0.1))
        c.shape(box(x + cell, y - cell * 4, cell, cell * 2), darker(colour, 0.25))
      }
    }
    motes(c, 30, [120, 380], p.light, { square: true, size: [1, 2] })
  },
  pagoda(c, p) {
    open(c, p, { x: 420, y: 200, r: 70 })
    for (const [x, y, w] of [[130, 160, 90], [240, 190, 80], [640, 190, 90], [1120, 150, 110]]) peak(c, x, y, 330, w, { lit: p.far, shade: p.mid, foot: p.horizon })
    mist(c, 290, 110, p.light, 0.5)
    land(c, [[560, 400], [700, 330], [840, 306], [1000, 312], [1210, 360]], c.verticalBetween(300, 400, p.mid, p.ground))
    pagoda(c, 860, 316, 150, 4, { wall: lighter(p.mid, 0.3), shade: p.mid, roof: p.ink, light: p.accent })
    const front = land(c, outline(c, 360, 14), c.verticalBetween(340, 400, p.ground, p.ink))
    for (const [x, h] of [[80, 160], [200, 110], [1040, 120], [1140, 170]]) tree(c, x, front[0][1] + 20, h, { trunk: p.ink, leaf: mix('#d9455f', p.mid, 0.15), spread: 0.48 })
    c.shape('M440 380V300h10v80zM550 380V300h10v80zM424 292q76 14 152 0l6-18q-82 16-164 0zM434 318h132v9H434z', darker('#c22f3a', 0.1))
    motes(c, 50, [80, 390], '#ffb0b8', { size: [1.2, 2.8] })
  },
  sea(c, p) {
    open(c, p, { x: 380, y: 220, r: 48 })
    for (const [x, y, w] of [[40, 120, 240], [700, 90, 300], [960, 160, 240]]) cloud(c, x, y, w, lighter(p.horizon, 0.4), 0.6)
    for (const [x, y, w] of [[1060, 190, 130], [940, 230, 80]]) peak(c, x, y, 300, w, { lit: p.far, shade: p.mid, foot: p.horizon })
    water(c, 286, c.vertical(p.mid, p.ink), p.light, { x: 380, width: 260, count: 50 })
    c.group('transform="translate(700 352) scale(1.5)"', () => {
      c.shape('M-86-14Q-70-8 60-10L96-26 74 20H-64z', p.ink)
      c.shape('M-86-14Q-70-8 60-10L96-26 92-18Q60 0-84-6z', mix(p.accent, p.ground, 0.4))
      c.shape(box(-44, -130, 5, 124) + box(18, -150, 5, 142), p.ink)
      c.shape('M-72-118q40 12 62 0 8 34 0 56-24 10-66 0 12-28 4-56zM-66-52q34 8 58 0 4 18 0 30-22 6-58 0 6-14 0-30z', lighter(p.light, 0.3))
      c.shape('M-14-136q44 14 70 0 10 36 0 62-28 12-74 0 14-30 4-62zM-10-64q40 10 66 0 6 22 0 38-26 8-66 0 8-18 0-38z', lighter(p.light, 0.3))
      c.shape('M24-136q20 4 32 0 10 36 0 62-12 6-30 6 10-36-2-68z', mix(p.light, p.mid, 0.4))
      c.shape('M23-150l34 8-34 10zM60-18l50-26-40 26z', p.accent)
    })
    c.shape('M0 372q40-16 80 0t80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0 80 0V400H0z', p.ink)
    birds(c, 560, 110, 6, p.ground, 10)
  },
  volcano(c, p) {
    open(c, p, { star: 30, x: 900, y: 90, r: 1 })
    for (const [x, y, w] of [[560, 70, 260], [720, 50, 320], [860, 90, 240]]) cloud(c, x, y, w, p.ground, 0.7)
    glow(c, 700, 110, 240, '#ff7a3a', 0.8)
    peak(c, 240, 200, 340, 190, { lit: p.mid, shade: p.near, foot: p.middle })
    peak(c, 1080, 190, 340, 200, { lit: p.mid, shade: p.near, foot: p.middle })
    c.shape('M430 350L630 130 660 118 742 118 770 130 980 350z', c.vertical(p.near, p.middle))
    c.shape('M700 118h42l28 12 210 220H760l-30-120z', c.vertical(p.ground, p.near))
    c.shape('M660 118h82q-8 24-20 26l12 60-18 40 26 110h-50l6-90-20-60 14-50q-24-4-32-36z', '#ff8a3a')
    c.shape('M676 118h52q-6 14-16 18l6 60-14 40 12 118h-16l4-100-14-60 8-54q-14-4-22-22z', '#ffe08a')
    haze(c, 240, 350, '#ff8a4a', 0.35)
    land(c, outline(c, 345, 16, { rough: 6, step: 26 }), c.verticalBetween(330, 400, p.ground, p.ink), { broken: true })
    silhouette(c, 'dragon', 420, 120, 140, p.ink)
    motes(c, 80, [40, 390], '#ffb45a', { size: [1, 2.8], opacity: 0.8 })
  },
  space(c, p) {
    sky(c, darker(p.top, 0.4), p.top, p.middle)
    stars(c, 220, 420)
    c.shape('M-20 300Q400 120 1220 60V180Q500 200-20 380z', c.horizontal([p.horizon, 0, 0.05], [p.horizon, 0.5, 0.25], [p.horizon, 1, 0]))
    glow(c, 880, 260, 330, p.horizon, 0.4)
    c.circle(880, 280, 170, c.diagonal(p.light, [p.horizon, 0.35], p.top))
    c.shape('M716 236q160 40 330 10l4 18q-180 30-340-8zM712 300q170 30 336 0v14q-170 26-332 4z', p.middle, 'opacity=".4"')
    c.shape('M640 330Q880 400 1130 220 1000 300 880 318T640 330z', p.light, 'opacity=".75"')
    c.circle(260, 110, 34, c.diagonal(p.light, p.mid))
    c.shape('M560 96l70 26 40-4 20 10-20 10-40-4-70 26 20-28-40-4 40-4z', lighter(p.far, 0.5))
    c.shape('M560 160l20-28 50 2z', p.near)
    glow(c, 548, 128, 40, p.accent, 0.8)
    c.shape('M548 124l-70 4 70 4z', p.accent)
    land(c, outline(c, 365, 14, { rough: 4, step: 40 }), c.vertical(p.ground, p.ink))
    c.shape(`M140 352a60 60 0 0 1 120 0z`, lighter(p.mid, 0.3), 'opacity=".6"')
    c.shape(box(190, 330, 20, 24) + box(300, 300, 6, 56) + box(330, 326, 70, 30), p.near)
    c.shape(box(340, 334, 10, 8) + box(360, 334, 10, 8) + box(380, 334, 10, 8), p.accent)
  },
  forest(c, p) {
    sky(c, p.middle, p.horizon, lighter(p.horizon, 0.3))
    glow(c, 640, 130, 420, p.light, 0.9)
    for (const [count, low, high, colour, y] of [[30, 170, 250, p.far, 330], [22, 230, 340, p.mid, 360]]) { pines(c, y, count, [low, high], colour); mist(c, 320, 120, p.light, 0.4) }
    beams(c, 700, -60, 620, p.light, { count: 8, from: 0.9, to: 2.3, opacity: 0.2 })
    c.shape(Array.from({ length: 12 }, (_, i) => { const x = i * 108 + c.random.between(-30, 30); const w = c.random.between(14, 30); return x > 420 && x < 780 ? '' : `M${Math.round(x)} 0h${Math.round(w)}l6 400h${Math.round(-w - 12)}z` }).join(''), p.ground)
    c.shape('M520 400q40-70 90-90 10 50-20 90zM600 310q60 20 110 90H560q60-40 40-90z', p.light, 'opacity=".25"')
    silhouette(c, 'rider', 620, 352, 120, p.ink)
    land(c, outline(c, 370, 14), c.verticalBetween(350, 400, p.ground, p.ink))
    c.line(Array.from({ length: 40 }, () => { const x = Math.round(c.random.between(0, 1200)); return `M${x} 400q-4-20-14-34M${x} 400q4-24 12-40` }).join(''), p.ink, 3)
    motes(c, 60, [80, 390], p.accent, { size: [1.2, 3] })
  },
  ruins(c, p) {
    open(c, p, { x: 240, y: 120, lamp: moon, star: 90 })
    land(c, outline(c, 270, 46), c.verticalBetween(220, 340, p.far, p.horizon))
    mist(c, 300, 120, lighter(p.horizon, 0.3), 0.5)
    glow(c, 760, 230, 240, p.accent, 0.6)
    land(c, [[400, 400], [520, 340], [700, 322], [860, 324], [1040, 346], [1150, 400]], c.verticalBetween(320, 400, p.mid, p.ground))
    c.ellipse(760, 240, 62, 86, c.radial(['#fff', 0], [p.accent, 0.7], [p.middle, 1]))
    c.line('M720 326c-56-40-58-130 0-176M800 326c56-40 58-130 0-176', lighter(p.mid, 0.2), 24)
    c.shape('M706 160l20-30 34-12 34 12 20 30-22 8-18-16-14-4-14 4-18 16z', lighter(p.mid, 0.3))
    for (const [x, h] of [[500, 130], [590, 90], [930, 110], [1020, 170]]) { c.rect(x - 14, 345 - h, 28, h, lighter(p.mid, 0.2)); c.rect(x + 2, 345 - h, 12, h, p.near); c.shape(box(x - 20, 338, 40, 10) + polygon([[x - 14, 346 - h], [x - 8, 334 - h], [x, 344 - h], [x + 8, 330 - h], [x + 14, 346 - h]]), lighter(p.mid, 0.1)) }
    silhouette(c, 'soldier', 680, 352, 70, p.ink)
    const front = land(c, outline(c, 365, 12), c.verticalBetween(350, 400, p.ground, p.ink))
    for (const [x, h] of [[90, 150], [210, 110], [1150, 150]]) tree(c, x, front[0][1] + 20, h, { trunk: p.ink, leaf: p.ground })
    motes(c, 50, [120, 380], p.accent, { size: [1, 2.6] })
  },
  jungle(c, p) {
    open(c, p, { x: 420, y: 190, r: 50 })
    for (const [x, y, w] of [[160, 150, 150], [980, 130, 190]]) peak(c, x, y, 320, w, { lit: p.far, shade: p.mid, foot: p.horizon })
    land(c, outline(c, 290, 30), c.verticalBetween(250, 360, p.mid, p.far))
    for (let i = 0; i < 8; i += 1) tree(c, 60 + i * 150, 322, 64, { trunk: p.ground, leaf: mix('#2f8f70', p.mid, 0.4) })
    haze(c, 250, 340, p.horizon, 0.4)
    silhouette(c, 'sauropod', 660, 346, -190, p.near)
    silhouette(c, 'sauropod', 780, 342, -110, p.mid)
    silhouette(c, 'pterosaur', 620, 110, 110, p.ground)
    silhouette(c, 'pterosaur', 760, 70, 60, p.ground)
    const front = land(c, outline(c, 358, 12), c.verticalBetween(340, 400, p.ground, p.ink))
    silhouette(c, 'rex', 960, front[8][1] + 6, -170, p.ink)
    for (const [x, h, l] of [[70, 250, 0.12], [170, 180, -0.1], [1140, 260, -0.12]]) palm(c, x, 390, h, { trunk: p.ink, leaf: darker(p.ground, 0.15), under: p.ink, lean: l })
  },
  mill(c, p) {
    open(c, p, { x: 420, y: 210, r: 40 })
    for (const [x, y, w] of [[60, 120, 260], [620, 90, 260], [940, 140, 240]]) cloud(c, x, y, w, lighter(p.horizon, 0.5), 0.65)
    land(c, outline(c, 270, 30), c.verticalBetween(230, 340, p.far, p.horizon))
    land(c, outline(c, 300, 26), c.verticalBetween(260, 380, mix('#7fc06a', p.mid, 0.35), p.mid))
    for (let i = 0; i < 9; i += 1) tree(c, 50 + i * 138, 325, 50, { trunk: p.ground, leaf: mix('#3f9a5f', p.mid, 0.3) })
    land(c, [[600, 400], [720, 330], [840, 304], [960, 312], [1100, 370], [1150, 400]], c.verticalBetween(300, 400, mix('#8fd07a', p.mid, 0.3), p.ground))
    windmill(c, 850, 316, 190, { lit: '#fff0d2', shade: mix('#d8b590', p.mid, 0.3), roof: mix('#d9604c', p.ground, 0.2), sail: '#fff7e0', light: p.accent, turn: c.random.between(0.1, 1.3) })
    land(c, outline(c, 362, 16), c.verticalBetween(345, 400, p.ground, p.ink))
    birds(c, 620, 150, 5, p.ground, 9)
    motes(c, 36, [150, 390], p.light, { size: [1, 2.4] })
  },
  dragon(c, p) {
    open(c, p, { x: 760, y: 170, r: 110, lamp: moon, star: 110 })
    for (const [x, y, w] of [[500, 200, 280], [860, 230, 300], [160, 150, 260]]) cloud(c, x, y, w, p.middle, 0.75)
    silhouette(c, 'dragon', 740, 150, 380, p.ink)
    for (const [x, y, w] of [[140, 210, 160], [420, 250, 130], [960, 230, 140], [1140, 190, 150]]) peak(c, x, y, 380, w, { lit: p.mid, shade: p.near, foot: p.middle })
    mist(c, 340, 90, p.horizon, 0.4)
    const front = land(c, outline(c, 370, 18), c.verticalBetween(340, 400, p.ground, p.ink))
    pines(c, front, 40, [24, 56], p.ink)
    motes(c, 40, [60, 380], p.accent, { size: [1, 2.4] })
  },
  road(c, p) {
    open(c, p, { x: 600, y: 210, r: 1 })
    c.circle(600, 210, 110, c.vertical(p.light, p.horizon))
    c.shape([0, 1, 2, 3, 4].map((i) => box(480, 222 + i * 16, 240, 3 + i * 1.5)).join(''), p.middle)
    skyline(c, 272, { widths: [14, 34], heights: [20, 110], fill: p.near, lights: [p.accent], share: 0.3, cell: [8, 12], shape: (t) => 0.2 + Math.abs(t - 0.5) * 2 })
    c.rect(0, 270, 1200, 130, c.vertical(p.ground, p.ink))
    c.line(Array.from({ length: 17 }, (_, i) => `M${600 + (i - 8) * 60} 270L${600 + (i - 8) * 330} 400`).join('') + 'M0 276H1200M0 288H1200M0 308H1200M0 340H1200M0 384H1200', p.horizon, 1.5, 'opacity=".45"')
    c.shape('M560 270h80l260 130H300z', p.ink)
    c.shape('M597 272h6l4 22h-14zM592 304h16l8 36h-32zM580 352h40l14 48h-68z', p.light, 'opacity=".8"')
    c.group('transform="translate(740 372)"', () => {
      c.shape('M-92 10l8-34 40-10 30-30h64l34 28 10 46-8 12H-84z', darker(p.horizon, 0.1))
      c.shape('M-36-34l24-24h50l24 24z', p.ink)
      c.shape('M-84-8h52v8h-52zM34-8h52v8H34z', '#ff4f6a')
      c.shape('M-92 10h186l-6 14H-86z', p.ink)
      c.shape('M-82 20h26v14h-26zM58 20h26v14H58z', '#0b0716')
    })
    for (const [x, h, l] of [[110, 220, 0.12], [230, 150, 0.08], [1000, 150, -0.08], [1110, 230, -0.12]]) palm(c, x, 380, h, { trunk: p.ink, leaf: p.ink, under: darker(p.ground, 0.2), lean: l })
  },
  marsh(c, p) {
    open(c, p, { x: 360, y: 120, lamp: moon, star: 90, r: 44 })
    const back = land(c, outline(c, 280, 26), c.verticalBetween(240, 360, p.far, p.horizon))
    pines(c, back, 26, [30, 70], p.mid)
    mist(c, 300, 110, p.horizon, 0.5)
    water(c, 320, c.vertical(p.mid, p.ink), p.light, { x: 360, width: 200, count: 30 })
    land(c, [[700, 400], [800, 348], [980, 330], [1210, 330]], c.verticalBetween(320, 400, p.ground, p.ink))
    land(c, [[-10, 340], [120, 344], [240, 372], [280, 400]], c.verticalBetween(330, 400, p.ground, p.ink))
    for (const [x, y, w, h, cap] of [[960, 350, 150, 130, '#5fe0c8'], [1080, 346, 100, 80, '#f08ad0'], [860, 356, 70, 50, p.accent], [90, 366, 110, 100, '#f08ad0'], [1160, 360, 120, 170, '#8f8aff']]) {
      glow(c, x, y - h, w * 1.2, cap, 0.4)
      c.shape(`M${x - w * 0.1} ${y}q${short(w * 0.08)} ${-h / 2} 0 ${-h}h${short(w * 0.2)}q${short(-w * 0.06)} ${h / 2} ${short(w * 0.04)} ${h}z`, lighter(p.far, 0.5))
      c.shape(`M${x - w / 2} ${y - h}q${short(w * 0.06)} ${short(-w * 0.5)} ${w / 2} ${short(-w * 0.52)}t${w / 2} ${short(w * 0.52)}q${-w / 2} ${short(w * 0.16)} ${-w} 0z`, cap)
      c.shape(`M${x} ${short(y - h - w * 0.52)}q${short(w * 0.44)} 0 ${w / 2} ${short(w * 0.52)}q${short(-w * 0.2)} ${short(w * 0.08)} ${short(-w * 0.36)} ${short(w * 0.07)}q${short(w * 0.1)} ${short(-w * 0.4)} ${short(-w * 0.14)} ${short(-w * 0.59)}z`, darker(cap, 0.3))
      c.shape(dot(x - w * 0.22, y - h - w * 0.16, w * 0.06) + dot(x - w * 0.04, y - h - w * 0.34, w * 0.07), '#fff', 'opacity=".85"')
    }
    silhouette(c, 'soldier', 760, 372, 80, p.ink)
    motes(c, 70, [120, 390], p.accent, { size: [1.2, 3], opacity: 0.8 })
  },
  arena(c, p) {
    sky(c, darker(p.top, 0.35), p.top, p.middle)
    stars(c, 40, 120)
    glow(c, 600, 260, 420, p.horizon, 0.5)
    c.shape('M-20 330V170Q600 60 1220 170V330z', c.vertical(p.near, p.ground))
    for (let row = 0; row < 5; row += 1) {
      const y = 176 + row * 28
      c.line(`M-20 ${y}Q600 ${y - 96 + row * 12} 1220 ${y}`, p.mid, 3, 'opacity=".6"')
      c.shape(Array.from({ length: 26 }, (_, i) => { const x = i * 48 + (row % 2) * 24; const t = x / 1200; return dot(x, y + 12 - (96 - row * 12) * 2 * t * (1 - t), 5, 0) }).join(''), row % 2 ? p.middle : p.far, 'opacity=".55"')
    }
    for (const [x, to] of [[120, 420], [360, 560], [840, 640], [1080, 780]]) {
      c.shape(polygon([[x - 6, 60], [x + 6, 60], [to + 110, 380], [to - 110, 380]]), c.vertical([p.light, 0, 0.5], [p.light, 1, 0]))
      c.shape(box(x - 16, 44, 32, 20), p.ink)
      c.circle(x, 62, 8, '#fff')
    }
    c.shape('M-20 320Q600 280 1220 320V400H-20z', c.vertical(p.mid, p.ink))
    c.ellipse(600, 352, 330, 34, p.light, 'opacity=".25"')
    c.shape(box(530, 318, 140, 60) + box(410, 338, 120, 40) + box(670, 346, 120, 32), p.near)
    c.shape(box(530, 318, 140, 8) + box(410, 338, 120, 8) + box(670, 346, 120, 8), p.accent)
    glow(c, 600, 260, 120, '#ffe08a', 0.8)
    c.shape('M564 204h72q0 66-28 78v16h20v18h-56v-18h20v-16q-28-12-28-78z', '#ffd45a')
    c.shape('M604 204h32q0 66-28 78v16h20v18h-24z', '#d9982c')
    c.line('M564 214h-24q0 40 34 46M636 214h24q0 40-34 46', '#ffd45a', 8)
    motes(c, 70, [80, 390], p.accent, { square: true, size: [1.2, 3] })
  },
  cave(c, p) {
    c.rect(0, 0, 1200, 400, c.vertical(darker(p.top, 0.3), p.top, p.ground))
    glow(c, 640, 260, 420, p.accent, 0.5)
    const teeth = (y, dir, step, reach, colour) => c.shape(polygon([[-20, dir < 0 ? 420 : -20], ...Array.from({ length: Math.ceil(1240 / step) + 1 }, (_, i) => [-20 + i * step, y + dir * (i % 2 ? c.random.between(0.3, 1) * reach : 0)]), [1240, dir < 0 ? 420 : -20]]), colour)
    teeth(40, 1, 56, 110, p.near)
    teeth(330, -1, 70, 60, p.near)
    for (const [x, w, h, l] of [[600, 60, 210, 0.02], [660, 44, 150, 0.18], [550, 40, 130, -0.2], [260, 36, 110, 0.1], [300, 26, 70, -0.1], [960, 50, 160, -0.06], [1010, 34, 100, 0.16]]) { glow(c, x, 350 - h / 2, h * 0.8, p.accent, 0.3); crystal(c, x, 360, w, h, { lit: lighter(p.accent, 0.55), shade: mix(p.accent, p.middle, 0.55), lean: l }) }
    teeth(18, 1, 80, 80, p.ink)
    c.shape('M-20 400V340Q120 330 240 362T560 360 820 366 1220 336V400z', c.vertical(p.ground, p.ink))
    c.ellipse(620, 376, 240, 12, p.accent, 'opacity=".35"')
    silhouette(c, 'soldier', 440, 370, 90, p.ink)
    glow(c, 462, 330, 50, p.light, 0.8)
    motes(c, 70, [60, 390], lighter(p.accent, 0.4), { size: [1, 2.8], opacity: 0.8 })
  },
  works(c, p) {
    open(c, p, { x: 300, y: 220, r: 44 })
    streaks(c, 10, 80, 220, p.light, 0.3)
    skyline(c, 300, { widths: [30, 70], heights: [30, 100], fill: c.verticalBetween(200, 310, p.far, p.horizon) })
    haze(c, 200, 320, p.horizon, 0.4)
    c.shape(gear(780, 300, 150, 14, 0.3), p.mid)
    c.shape(gear(960, 210, 84, 10, 0.32), p.near)
    c.shape(gear(610, 330, 70, 10, 0.34), p.near)
    c.shape(gear(960, 210, 44, 10, 0.5), p.accent)
    c.shape(box(1030, 120, 40, 220) + box(1090, 160, 34, 180) + box(1020, 116, 60, 12) + box(1084, 156, 46, 10), p.ground)
    cloud(c, 1000, 100, 170, p.far, 0.7)
    cloud(c, 1060, 60, 190, p.far, 0.5)
    c.shape('M60 340v-80l40-30v30l40-30v30l40-30v30l40-30v110zM240 340v-60h120v60z', p.ground)
    c.shape(arches(80, 330, 4, 16, 30, 32) + box(256, 296, 18, 16) + box(290, 296, 18, 16) + box(324, 296, 18, 16), p.accent)
    c.shape('M-20 400V340H1220V400z', c.vertical(p.ground, p.ink))
    c.shape(box(-20, 350, 1240, 5) + box(-20, 366, 1240, 4), p.mid)
    motes(c, 60, [80, 380], p.accent, { size: [1, 2.6] })
  },
}

const PLAN = [
  ['peaks', 'ice'], ['castle', 'violet'], ['blocks', 'ocean'], ['dunes', 'gold'], ['city', 'neon'], ['islands', 'rose'], ['pagoda', 'ember'], ['sea', 'teal'], ['forest', 'forest'], ['space', 'violet'],
  ['volcano', 'ember'], ['mill', 'teal'], ['ruins', 'ice'], ['jungle', 'gold'], ['dragon', 'storm'], ['road', 'violet'], ['marsh', 'teal'], ['arena', 'violet'], ['cave', 'ocean'], ['works', 'storm'],
  ['castle', 'gold'], ['peaks', 'violet'], ['sea', 'ember'], ['city', 'storm'], ['blocks', 'rose'], ['dunes', 'violet'], ['islands', 'teal'], ['pagoda', 'rose'], ['space', 'teal'], ['forest', 'gold'],
  ['dragon', 'ember'], ['mill', 'rose'], ['ruins', 'forest'], ['jungle', 'violet'], ['road', 'neon'], ['volcano', 'storm'], ['arena', 'ember'], ['marsh', 'rose'], ['cave', 'neon'], ['works', 'gold'],
]

/** The banner with this number (from 1), on a 1200 × 400 canvas. */
export function banner(c, number) {
  const [scene, light] = PLAN[(number - 1) % PLAN.length]
  c.random = randomSource(number * 104729)
  const p = SKIES[light]
  const isRepeated = PLAN.slice(0, number - 1).some(([earlier]) => earlier === scene)
  // The second banner of a scene is mirrored.
  if (isRepeated) c.group('transform="matrix(-1 0 0 1 1200 0)"', () => SCENES[scene](c, p))
  else SCENES[scene](c, p)
  c.rect(0, 0, 1200, 400, c.radial([p.ink, 0.6, 0], [p.ink, 1, 0.4]))
}
