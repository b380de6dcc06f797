// Sky, light, land and weather: the layers of every scene, from far to near. Colours are parameters, so nothing
// here depends on a game.
import { box, curve, darker, dot, lighter, mix, polygon, short } from './canvas.mjs'

/** A point of a stroked path with caps: the shortest markup for many small discs or squares. */
const speck = (x, y) => `M${short(x)} ${short(y)}h0`

/** Fills the canvas with a vertical gradient. */
export function sky(c, ...stops) {
  c.rect(0, 0, c.width, c.height, c.vertical(...stops))
}

/** A soft disc of light. */
export function glow(c, x, y, r, colour, strength = 0.6) {
  c.circle(x, y, r, c.radial([colour, 0, strength], [colour, 0.35, strength * 0.45], [colour, 1, 0]))
}

export function sun(c, x, y, r, colour, { halo = 5, strength = 0.55 } = {}) {
  glow(c, x, y, r * halo, colour, strength)
  glow(c, x, y, r * 2.1, lighter(colour, 0.4), strength)
  c.circle(x, y, r, c.vertical(lighter(colour, 0.75), lighter(colour, 0.35)))
}

export function moon(c, x, y, r, colour, { halo = 4.5, strength = 0.45 } = {}) {
  glow(c, x, y, r * halo, colour, strength)
  c.circle(x, y, r, c.diagonal(lighter(colour, 0.7), colour))
  const seas = [[-0.3, -0.2, 0.22], [0.25, 0.15, 0.3], [-0.15, 0.45, 0.16], [0.3, -0.45, 0.12], [-0.6, 0.15, 0.1]]
  c.shape(seas.map(([dx, dy, s]) => dot(x + dx * r, y + dy * r, s * r)).join(''), darker(colour, 0.25), 'opacity=".28"')
}

/** Stars in three sizes, thinning out towards `bottom`. */
export function stars(c, count, bottom, colour = '#fff') {
  const { between } = c.random
  const sizes = [[0.6, 1.1, 0.5], [0.3, 1.7, 0.75], [0.1, 2.6, 0.95]]
  const scale = c.width / 1920
  for (const [share, r, opacity] of sizes) {
    let data = ''
    for (let i = 0; i < count * share; i += 1) data += speck(between(0, c.width), bottom * between(0, 1) ** 1.5)
    c.line(data, colour, 2 * r * Math.max(scale, 0.8), `stroke-linecap="round" opacity="${short(opacity, 2)}"`)
  }
}

/** Broad beams fanning out of a light. */
export function beams(c, x, y, length, colour, { count = 9, from = 0, to = Math.PI * 2, spread = 0.06, opacity = 0.1 } = {}) {
  let data = ''
  for (let i = 0; i < count; i += 1) {
    const angle = from + ((to - from) * (i + c.random.between(0.2, 0.8))) / count
    const half = spread * c.random.between(0.5, 1.3)
    data += polygon([
      [x, y],
      [x + Math.cos(angle - half) * length, y + Math.sin(angle - half) * length],
      [x + Math.cos(angle + half) * length, y + Math.sin(angle + half) * length],
    ])
  }
  c.shape(data, colour, `opacity="${short(opacity, 2)}"`)
}

/** Mist that is thickest at `bottom` and gone at `top`. */
export function haze(c, top, bottom, colour, strength = 0.6) {
  c.rect(0, top, c.width, bottom - top, c.vertical([colour, 0, 0], [colour, 1, strength]))
}

/** A band of mist, thickest in its middle. */
export function mist(c, y, height, colour, strength = 0.5) {
  c.rect(0, y - height / 2, c.width, height, c.vertical([colour, 0, 0], [colour, 0.5, strength], [colour, 1, 0]))
}

/** One heaped cloud with a flat foot. */
export function cloud(c, x, y, width, colour, opacity = 1, { fade = true } = {}) {
  const bumps = Math.max(3, Math.round(width / 70))
  let data = `M${short(x)} ${short(y)}`
  let left = width
  for (let i = 0; i < bumps; i += 1) {
    const middle = 1 - Math.abs((i + 0.5) / bumps - 0.5) * 1.5
    const step = i === bumps - 1 ? left : (width / bumps) * c.random.between(0.75, 1.25)
    const rise = i < bumps / 2 ? -1 : 1
    const dy = i === bumps - 1 ? 0 : rise * middle * (width / 16)
    left -= step
    const r = Math.max(step * 0.56, Math.abs(dy))
    data += `a${short(r)} ${short(r)} 0 0 1 ${short(step)} ${short(dy)}`
  }
  const [endX] = [x + width]
  data += `L${short(endX)} ${short(y)}z`
  c.shape(data, fade ? c.vertical([colour, 0, 1], [colour, 1, 0]) : colour, opacity === 1 ? '' : `opacity="${short(opacity, 2)}"`)
}

/** Long thin evening clouds. */
export function streaks(c, count, top, bottom, colour, opacity = 0.4, reach = [180, 620]) {
  const { between } = c.random
  let data = ''
  for (let i = 0; i < count; i += 1) {
    const w = between(...reach) * (c.width / 1920)
    const h = between(5, 15) * (c.width / 1920)
    const [x, y] = [between(-100, c.width), between(top, bottom)]
    data += `M${short(x)} ${short(y)}q${short(w * 0.3)}${short(-h)} ${short(w * 0.6)}${short(-h * 0.5)}t${short(w * 0.4)} ${short(h * 0.5)}q${short(-w * 0.5)} ${short(h)} ${short(-w)} 0z`
  }
  c.shape(data, colour, `opacity="${short(opacity, 2)}"`)
}

/** The upper edge of a piece of land as points: `rough` is broken rock, else rolling hills. */
export function outline(c, y, height, { step = 60, rough = 0, swell = 2, from = -20, to = c.width + 20 } = {}) {
  const { between } = c.random
  const waves = Array.from({ length: 4 }, (_, i) => ({
    length: ((c.width / swell) * between(0.8, 1.3)) / (i + 1),
    phase: between(0, Math.PI * 2),
    size: height / (1 + i * 1.1),
  }))
  const total = waves.reduce((sum, wave) => sum + wave.size, 0) / height
  const points = []
  for (let x = from; ; x += step * between(0.8, 1.2)) {
    const at = Math.min(x, to)
    const swing = waves.reduce((sum, wave) => sum + Math.sin((at / wave.length) * Math.PI * 2 + wave.phase) * wave.size, 0) / total
    points.push([at, y - swing + rough * between(-1, 1)])
    if (at === to) return points
  }
}

/** Height of the land under `x`. */
export function heightAt(points, x) {
  for (let i = 1; i < points.length; i += 1) {
    if (points[i][0] >= x) {
      const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]]
      return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0 || 1)
    }
  }
  return points.at(-1)[1]
}

/** Draws land below `points`, and returns them so that motifs can be placed on it. */
export function land(c, points, fill, { broken = false, floor = c.height } = {}) {
  c.shape(
    broken ? polygon([...points, [points.at(-1)[0], floor], [points[0][0], floor]]) : curve(points, floor),
    fill,
  )
  return points
}

/**
 * One mountain: two slopes on either side of a jagged ridge, the lit one towards the light. `foot` is the colour
 * of the mist at its base.
 */
export function peak(c, x, y, base, half, { lit, shade, foot, snow, light = -1, snowline = 0.42 }) {
  const { between } = c.random
  const rows = 7
  const rise = base - y
  const side = (direction, reach) =>
    Array.from({ length: rows + 1 }, (_, i) => {
      const t = i / rows
      const wobble = i === 0 || i === rows ? 0 : between(-0.05, 0.05) * reach
      return [x + direction * (reach * t ** 1.12 + wobble), y + rise * t]
    })
  const [left, right] = [side(-1, half * between(0.85, 1.15)), side(1, half * between(0.85, 1.15))]
  const spine = Array.from({ length: rows + 1 }, (_, i) => {
    const t = i / rows
    return [x + (i === 0 ? 0 : (i % 2 ? 1 : -1) * half * 0.1 * between(0.5, 1.2) + half * 0.16 * t * -light), y + rise * t]
  })
  const [bright, dark] = light < 0 ? [left, right] : [right, left]
  c.shape(polygon([...dark, ...spine.slice().reverse()]), c.vertical(shade, foot))
  c.shape(polygon([...bright, ...spine.slice().reverse()]), c.vertical(lit, foot))
  // Two secondary ribs give the slopes their facets.
  const rib = (edge, t0, t1, inward) => {
    const at = (list, t) => list[Math.round(t * rows)]
    const mid = (a, b, s) => [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s]
    return polygon([mid(at(spine, t0), at(edge, t0), 0.25), mid(at(spine, t1), at(edge, t1), inward), mid(at(spine, t1), at(edge, t1), inward - 0.28)])
  }
  c.shape(rib(dark, 0.3, 0.86, 0.7), lit, 'opacity=".35"')
  c.shape(rib(bright, 0.3, 0.86, 0.62), shade, 'opacity=".45"')
  if (!snow) return
  const cut = Math.max(2, Math.round(rows * snowline))
  const cap = (edge) => {
    const [from, to] = [edge[cut], spine[cut]]
    const teeth = Array.from({ length: 3 }, (_, i) => {
      const t = (i + 1) / 4
      return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t + (i % 2 ? 0.09 : -0.1) * rise]
    })
    return polygon([...edge.slice(0, cut + 1), ...teeth, ...spine.slice(0, cut + 1).reverse()])
  }
  c.shape(cap(dark), mix(snow, shade, 0.55))
  c.shape(cap(bright), snow)
}

/** Many pines of three shapes, on the land or at a height; distant ones first. */
export function pines(c, points, count, [low, high], fill, { from = -20, to = c.width + 20, sink = 6, xs } = {}) {
  const build = (tiers, slim) => {
    const half = []
    for (let i = 0; i < tiers; i += 1) {
      const w = slim * (0.3 + (0.7 * (i + 1)) / tiers)
      half.push([w, -100 + (88 * (i + 1)) / tiers], [w * 0.52, -100 + (88 * (i + 1)) / tiers - 4])
    }
    half.pop()
    const right = [[0, -100], ...half, [3, -12], [3, 4]]
    return `<path d="${polygon([...right, ...right.slice(1).reverse().map(([px, py]) => [-px, py])])}"/>`
  }
  const kinds = [c.define(build(4, 24)), c.define(build(5, 20)), c.define(build(3, 27))]
  c.group(`fill="${fill}"`, () => {
    for (let i = 0; i < count; i += 1) {
      const x = xs ? xs[i] : from + ((to - from) * (i + c.random.between(0, 1))) / count
      const h = c.random.between(low, high) / 100
      const y = typeof points === 'number' ? points : heightAt(points, x)
      c.use(c.random.pick(kinds), x, y + sink, h, h * c.random.between(0.95, 1.15))
    }
  })
}

/** The skyline of a city; lit windows have the colours `lights`. */
export function skyline(c, base, { widths = [40, 110], heights = [80, 340], fill, lights = [], share = 0.35, from = -20, to = c.width + 20, cell = [9, 16], tops = true, shape }) {
  const { between, next, pick } = c.random
  let walls = ''
  const panes = lights.map(() => '')
  for (let x = from; x < to; ) {
    const w = between(...widths)
    const t = (x + w / 2 - from) / (to - from)
    const h = between(...heights) * (shape ? shape(t) : 1)
    const top = base - h
    walls += box(x, top, w + 1, c.height - top)
    if (tops && next() < 0.35) walls += box(x + w * 0.2, top - h * 0.07, w * 0.6, h * 0.07 + 1)
    if (tops && next() < 0.2) walls += box(x + w * 0.48, top - h * 0.24, 4, h * 0.24)
    if (lights.length) {
      const [cw, ch] = cell
      for (let wy = top + ch * 0.8; wy < base - ch && wy < c.height; wy += ch) {
        for (let wx = x + cw * 0.8; wx < x + w - cw; wx += cw) {
          if (next() < share) panes[lights.indexOf(pick(lights))] += box(wx, wy, cw * 0.5, ch * 0.45)
        }
      }
    }
    x += w + (next() < 0.25 ? between(4, 18) : 0)
  }
  c.shape(walls, fill)
  panes.forEach((data, i) => data && c.shape(data, lights[i]))
}

/** Sparks, pollen, snow or ash in the air. */
export function motes(c, count, [top, bottom], colour, { size = [1.2, 3.4], opacity = 0.6, square = false } = {}) {
  const { between } = c.random
  const [small, large] = size
  for (const [share, r] of [[0.5, small], [0.3, (small + large) / 2], [0.2, large]]) {
    let data = ''
    for (let i = 0; i < count * share; i += 1) data += speck(between(0, c.width), between(top, bottom))
    c.line(data, colour, 2 * r, `stroke-linecap="${square ? 'square' : 'round'}" opacity="${short(opacity, 2)}"`)
  }
}

/** A few birds far away. */
export function birds(c, x, y, count, colour, size = 14) {
  let data = ''
  for (let i = 0; i < count; i += 1) {
    const s = size * c.random.between(0.6, 1.2)
    const [bx, by] = [x + c.random.between(-9, 9) * size, y + c.random.between(-4, 4) * size]
    data += `M${short(bx - s)} ${short(by - s * 0.3)}q${short(s * 0.6)}${short(-s * 0.35)} ${short(s)} ${short(s * 0.35)}q${short(s * 0.4)}${short(-s * 0.7)} ${short(s)}${short(-s * 0.35)}`
  }
  c.line(data, colour, Math.max(1.5, size / 6), 'stroke-linecap="round"')
}

/** Water with reflections of a sun at `x`. */
export function water(c, top, fill, gleam, { x = c.width / 2, count = 46, width = 260, opacity = 0.5, floor = c.height } = {}) {
  c.rect(0, top, c.width, floor - top, fill)
  const { between } = c.random
  let data = ''
  for (let i = 0; i < count; i += 1) {
    const t = (i / count) ** 1.4
    const y = top + 4 + (floor - top) * t
    const w = between(0.15, 1) * width * (0.35 + t)
    data += box(x - w / 2 + between(-1, 1) * width * (0.3 + t * 0.7), y, w, 1.5 + t * 5)
  }
  c.shape(data, gleam, `opacity="${short(opacity, 2)}"`)
}

/** Darkens the edges and the bottom of the picture, so that text on it is readable. */
export function finish(c, ink, { rim = 0.36, foot = 0.8 } = {}) {
  c.rect(0, c.height * 0.68, c.width, c.height * 0.33, c.vertical([ink, 0, 0], [ink, 1, foot]))
  c.rect(0, 0, c.width, c.height, c.radial([ink, 0.6, 0], [ink, 1, rim]))
}
