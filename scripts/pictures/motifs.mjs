// Motifs of a landscape: buildings, trees, animals. They are lit from the left unless mirrored. Each takes the
// canvas, the point of its base and its colours; sizes are in pixels of the canvas.
import { box, darker, dot, lighter, polygon, short } from './canvas.mjs'

/** A round tower with a battlement or a pointed roof, and slits of light. */
export function tower(c, x, base, w, h, { lit, shade, roof, roofHeight = w * 1.5, flare = 0.16, light, windows = 2, flag }) {
  const top = base - h
  const e = w * flare
  const crown = w * 0.34
  c.rect(x - w / 2, top, w, h, lit)
  c.rect(x + w * 0.04, top, w * 0.46, h, shade)
  let rim = box(x - w / 2 - e, top, w + 2 * e, crown * 0.55)
  if (!roof) for (let i = 0; i < 4; i += 1) rim += box(x - w / 2 - e + ((w + 2 * e) * (i * 2)) / 7, top - crown * 0.5, (w + 2 * e) / 7, crown * 0.55)
  c.shape(rim, lit)
  c.shape(box(x + w * 0.04, top, w * 0.46 + e, crown * 0.55), shade)
  if (roof) {
    const reach = w / 2 + e * 1.5
    c.shape(polygon([[x - reach, top], [x, top - roofHeight], [x + reach, top]]), roof)
    c.shape(polygon([[x + w * 0.05, top], [x, top - roofHeight], [x + reach, top]]), darker(roof, 0.35))
    if (flag) {
      const y = top - roofHeight
      c.shape(`M${short(x - 1)} ${short(y + 4)}v${short(-w * 0.6)}l${short(w * 0.55)} ${short(w * 0.16)}l${short(-w * 0.5)} ${short(w * 0.16)}v${short(w * 0.3)}z`, flag)
    }
  }
  if (light) {
    let slits = ''
    for (let i = 0; i < windows; i += 1) {
      const y = top + crown + (h * 0.75 * (i + 0.3)) / windows
      slits += `M${short(x - w * 0.1)} ${short(y + w * 0.3)}v${short(-w * 0.2)}a${short(w * 0.1, 1)} ${short(w * 0.1, 1)} 0 0 1 ${short(w * 0.2)} 0v${short(w * 0.2)}z`
    }
    c.shape(slits, light)
  }
}

/** A wall with battlements, from x to x + w. */
export function rampart(c, x, base, w, h, fill, tooth = 14) {
  let data = box(x, base - h, w, h)
  for (let i = 0; i * tooth * 2 < w; i += 1) data += box(x + i * tooth * 2, base - h - tooth, Math.min(tooth, w - i * tooth * 2), tooth + 1)
  c.shape(data, fill)
}

/** A palm; `lean` bends it to one side. */
export function palm(c, x, base, h, { trunk, leaf, under = leaf, lean = 0.15 }) {
  const top = [x + h * lean, base - h]
  const w = h * 0.045
  c.shape(
    `M${short(x - w)} ${short(base)}Q${short(x - w * 0.2)} ${short(base - h * 0.55)} ${short(top[0] - w * 0.4)} ${short(top[1])}h${short(w * 0.9)}Q${short(x + w * 1.3)} ${short(base - h * 0.5)} ${short(x + w)} ${short(base)}z`,
    trunk,
  )
  const frond = (angle, length) => {
    const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length]
    const droop = length * 0.5
    return `M${short(top[0])} ${short(top[1])}q${short(dx * 0.55)} ${short(dy - droop * 0.35)} ${short(dx)} ${short(dy + droop)}q${short(-dx * 0.55)} ${short(-droop * 0.75)} ${short(-dx)} ${short(-dy - droop)}`
  }
  const reach = h * 0.42
  c.shape([-2.7, -0.45, 0.15, 3.0].map((a) => frond(a, reach)).join(''), under)
  c.shape([-2.35, -1.9, -1.25, -0.8, 2.65, 0.5].map((a) => frond(a, reach * 0.95)).join(''), leaf)
}

/** A leafy tree: a forked trunk and foliage, brighter towards the light. One drawing for each colour is used many times, some mirrored. */
export function tree(c, x, base, h, { trunk, leaf, light = lighter(leaf, 0.18), dark = darker(leaf, 0.3), spread = 0.42 }) {
  const key = [trunk, leaf, spread].join()
  const definitions = (treeDefinitions.has(c) ? treeDefinitions : treeDefinitions.set(c, new Map())).get(c)
  if (!definitions.has(key)) definitions.set(key, c.define(treeMarkup(c, { trunk, leaf, light, dark, spread })))
  c.use(definitions.get(key), x, base, (c.random.sign() * h) / 200, h / 200)
}

const treeDefinitions = new WeakMap()

function treeMarkup(c, { trunk, leaf, light, dark, spread }) {
  const h = 200
  const { between } = c.random
  const heap = (cx, cy, r, count) => {
    let data = dot(cx, cy, r, 0)
    for (let i = 0; i < count; i += 1) {
      const angle = (i / count) * Math.PI * 2 + between(-0.2, 0.2)
      data += dot(cx + Math.cos(angle) * r * 0.8, cy + Math.sin(angle) * r * 0.62, r * between(0.36, 0.5), 0)
    }
    return data
  }
  const s = h * spread
  const top = -h * 0.7
  const part = (data, colour) => `<path d="${data}" fill="${colour}"/>`
  return (
    part('M-20 0Q-7-40-26-120L0-80 31-124Q7-40 20 0z', trunk) +
    part(heap(s * 0.3, top + s * 0.14, s * 0.55, 8), dark) +
    part(heap(-s * 0.34, top + s * 0.02, s * 0.5, 8) + heap(s * 0.2, top - s * 0.28, s * 0.46, 7), leaf) +
    part(heap(-s * 0.46, top - s * 0.16, s * 0.26, 6) + heap(s * 0.02, top - s * 0.46, s * 0.24, 6), light)
  )
}

/** A windmill with four lattice sails. */
export function windmill(c, x, base, h, { lit, shade, roof, sail, light, turn = 0.4 }) {
  const [b, t] = [h * 0.2, h * 0.13]
  const top = base - h * 0.72
  c.shape(polygon([[x - b, base], [x - t, top], [x + t, top], [x + b, base]]), lit)
  c.shape(polygon([[x + b * 0.1, base], [x + t * 0.1, top], [x + t, top], [x + b, base]]), shade)
  c.shape(`M${short(x - t * 1.35)} ${short(top)}Q${short(x - t * 0.9)} ${short(top - h * 0.17)} ${short(x)} ${short(top - h * 0.2)}Q${short(x + t * 0.9)} ${short(top - h * 0.17)} ${short(x + t * 1.35)} ${short(top)}z`, roof)
  if (light) {
    const w = h * 0.028
    const pane = (px, py) => `M${short(px - w)} ${short(py)}v${short(-w * 2)}a${short(w, 1)} ${short(w, 1)} 0 0 1 ${short(2 * w, 1)} 0v${short(w * 2)}z`
    c.shape(pane(x - b * 0.35, base - h * 0.3) + pane(x - b * 0.1, base - h * 0.52), light)
    c.shape(`M${short(x - h * 0.05)} ${short(base)}v${short(-h * 0.1)}a${short(h * 0.045)} ${short(h * 0.045)} 0 0 1 ${short(h * 0.09)} 0v${short(h * 0.1)}z`, darker(shade, 0.5))
  }
  const hub = [x - t * 0.2, top - h * 0.03]
  const reach = h * 0.52
  const arm = `M0 0V${short(-reach)}M${short(reach * 0.18)}${short(-reach * 0.2)}V${short(-reach)}H0` +
    Array.from({ length: 5 }, (_, i) => `M0 ${short(-reach * (0.28 + i * 0.15))}h${short(reach * 0.18)}`).join('')
  const cloth = `<path d="${box(0, -reach, reach * 0.18, reach * 0.78)}" fill="${sail}" opacity=".8"/><path d="${arm}" fill="none" stroke="${darker(shade, 0.3)}" stroke-width="${short(h * 0.014, 1)}"/>`
  const blade = c.define(cloth)
  for (let i = 0; i < 4; i += 1) {
    const degrees = (turn + (i * Math.PI) / 2) * (180 / Math.PI)
    c.add(`<use href="#${blade}" transform="translate(${short(hub[0])} ${short(hub[1])}) rotate(${short(degrees, 1)})"/>`)
  }
  c.circle(hub[0], hub[1], h * 0.025, darker(shade, 0.4))
}

/** A pagoda of `storeys`, each with swept eaves. */
export function pagoda(c, x, base, w, storeys, { wall, shade, roof, light }) {
  let y = base
  for (let i = 0; i < storeys; i += 1) {
    const scale = 1 - i * (0.62 / storeys)
    const [sw, sh, rh] = [w * scale * 0.62, w * 0.24 * (0.75 + scale * 0.35), w * 0.15 * (0.7 + scale * 0.4)]
    c.rect(x - sw / 2, y - sh, sw, sh, wall)
    c.rect(x + sw * 0.06, y - sh, sw * 0.44, sh, shade)
    if (light) {
      let panes = ''
      for (let p = -2; p <= 2; p += 1) if (p !== 0 || i > 0) panes += box(x + p * sw * 0.19 - sw * 0.05, y - sh * 0.72, sw * 0.1, sh * 0.5)
      c.shape(panes, light)
    }
    y -= sh
    const rw = w * scale * 0.55
    const eave = (from) =>
      `M${short(x + from)} ${short(y + 2)}L${short(x + rw * 0.78)} ${short(y + 2)}Q${short(x + rw)} ${short(y - 1)} ${short(x + rw * 1.12)} ${short(y - rh * 0.55)}Q${short(x + rw * 0.82)} ${short(y - rh * 0.35)} ${short(x + sw * 0.42)} ${short(y - rh)}H${short(x + from)}z`
    const whole = `M${short(x - rw * 1.12)} ${short(y - rh * 0.55)}Q${short(x - rw)} ${short(y - 1)} ${short(x - rw * 0.78)} ${short(y + 2)}H${short(x + rw * 0.78)}Q${short(x + rw)} ${short(y - 1)} ${short(x + rw * 1.12)} ${short(y - rh * 0.55)}Q${short(x + rw * 0.82)} ${short(y - rh * 0.35)} ${short(x + sw * 0.42)} ${short(y - rh)}H${short(x - sw * 0.42)}Q${short(x - rw * 0.82)} ${short(y - rh * 0.35)} ${short(x - rw * 1.12)} ${short(y - rh * 0.55)}z`
    c.shape(whole, roof)
    c.shape(eave(sw * 0.05), darker(roof, 0.35))
    y -= rh * 0.9
  }
  c.shape(polygon([[x - w * 0.02, y], [x, y - w * 0.3], [x + w * 0.02, y]]) + dot(x, y - w * 0.12, w * 0.03), roof)
}

/** A building under an onion or round dome. */
export function dome(c, x, base, w, h, { lit, shade, cap, light, onion = 0 }) {
  const top = base - h
  c.rect(x - w / 2, top, w, h, lit)
  c.rect(x + w * 0.08, top, w * 0.42, h, shade)
  const r = w * 0.46
  const bulb = (side) => `M${short(x)} ${short(top - r * (1.25 + onion))}C${short(x + side * r * 0.2)} ${short(top - r * (1 + onion * 0.4))} ${short(x + side * r * (1.05 + onion * 0.4))} ${short(top - r * 0.9)} ${short(x + side * r)} ${short(top)}H${short(x)}z`
  c.shape(bulb(-1), cap)
  c.shape(bulb(1), darker(cap, 0.3))
  c.shape(box(x - w * 0.55, top - 3, w * 1.1, Math.max(4, w * 0.05)) + box(x - 1.5, top - r * (1.6 + onion), 3, r * 0.4), cap)
  if (light) c.shape(arches(x - w * 0.3, base, 3, w * 0.14, h * 0.5, w * 0.23), light)
}

/** Path data of a row of round arches on `base`. */
export function arches(x, base, count, w, h, pitch) {
  let data = ''
  for (let i = 0; i < count; i += 1) {
    data += `M${short(x + i * pitch)} ${short(base)}v${short(-(h - w / 2))}a${short(w / 2, 1)} ${short(w / 2, 1)} 0 0 1 ${short(w)} 0v${short(h - w / 2)}z`
  }
  return data
}

/** A floating island: a flat top and a jagged rock base. */
export function island(c, x, y, w, depth, { top, lit, shade }) {
  const { between } = c.random
  const steps = 9
  const foot = Array.from({ length: steps + 1 }, (_, i) => {
    const t = i / steps
    const drop = Math.sin(t * Math.PI) ** 0.8 * depth * (i % 2 ? 0.72 : 1) * between(0.8, 1.1)
    return [x - w / 2 + w * t, y + (i === 0 || i === steps ? 0 : Math.max(12, drop))]
  })
  c.shape(polygon(foot), lit)
  c.shape(polygon([[x + w * 0.06, y], ...foot.slice(5)]), shade)
  c.shape(`M${short(x - w / 2 - 6)} ${short(y + 4)}Q${short(x - w / 2)} ${short(y - w * 0.06)} ${short(x)} ${short(y - w * 0.07)}T${short(x + w / 2 + 6)} ${short(y + 4)}Q${short(x + w * 0.3)} ${short(y + w * 0.07)} ${short(x + w * 0.12)} ${short(y + w * 0.03)}T${short(x - w * 0.22)} ${short(y + w * 0.05)}T${short(x - w / 2 - 6)} ${short(y + 4)}z`, top)
}

// Silhouettes in a box of about 200 pixels, placed by their base.
const SILHOUETTES = {
  dragon: [100, 60, 'M4 66l14-8 10-1 6-8 2 8c14 2 26 0 36-4C72 30 88 8 112 0Q114 14 138 18 132 30 148 42 126 44 104 62c22 8 46 4 66-8l8-10 4 14 14 2c-20 16-56 24-88 16-18 8-42 2-58-8l-4 10-6-12c-10 0-20 2-36 0zM66 54C56 34 60 16 76 6q4 14 18 20-8 14-6 30z'],
  sauropod: [100, 156, 'M6 26C6 14 22 8 32 14c8 6 8 20 10 32 4 24 18 34 42 36 28-4 48 4 62 16 18 14 34 20 52 18-14 10-34 8-48 0v40h-14l-2-30-12-2-2 32h-14l-2-34c-10 2-20 0-26-4l-2 38H62v-38l-6 38H46l2-48C38 90 32 66 28 42c-1-8-4-12-10-11-8 2-12 1-12-5z'],
  rex: [100, 141, 'M20 30l28-8c12 0 18 10 24 22 12 12 32 14 52 20 26 6 46 6 72-4-16 20-40 28-64 30l-8 20 8 24 10 6h-24l-6-28-8-14-10 18 6 22 10 4H84l-4-30 4-16c-14-4-22-12-26-22l-14 6-4 12-4-14 16-12c-2-8-6-14-12-16l-22-2 4-6h18l-22-4z'],
  pterosaur: [92, 30, 'M0 20C30 4 56 4 80 22l12-12 12 4 16-6-12 12c24-12 52-12 76 6-34-6-56 0-72 10l-8 16-10-16C66 24 36 18 0 20z'],
  camel: [60, 110, 'M8 60q-4 20 2 30l-2 20h6l4-22q6-4 8-12h30q2 8 4 14l-2 20h6l4-22 2-14q10-4 14-14l4-16 14 2q4-4-2-10l-10-4q-8-2-12 4l-6 22q-6 6-12 2-4-16-12-20-10 4-14 16-8-14-16-2-8 2-10 16z'],
  rider: [56, 130, 'M20 72C14 76 10 88 12 104l-4 2C4 90 8 72 22 64c12-6 20-2 34-2l2-22c0-10 16-10 18 0l2 10 12 2 2-2 6-14 6-8 2 6 6 4 10 14-4 6-10-4-4 6c-2 12-6 18-10 24l4 20-2 20 4 6H90l-2-24-8-18H60l-14 2-6 14 2 20 4 6H36l-2-26-6-12-2 12-4 26h-8l4-26zM52 20q14 5 30 0l-6-3q-2-9-9-9-8 0-9 9l2 6a7 7 0 0 0 14 0z'],
  soldier: [40, 120, 'M34 8a9 9 0 0 1 18 0v10q10 2 12 14l22-4v5l-18 6 2 6-14 6-2 18 6 22 2 29H50l-2-26-6-16-6 18-2 24H22l4-30 4-20V34q0-12 8-14z'],
}

/** Places a silhouette by its base (by its middle if it flies); a negative size mirrors it. */
export function silhouette(c, name, x, y, size, fill, attributes = '') {
  const [footX, footY, data] = SILHOUETTES[name]
  const scale = size / 200
  const turned = Math.sign(scale)
  c.add(
    `<path d="${data}" fill="${fill}" transform="translate(${short(x - footX * scale)} ${short(y - footY * Math.abs(scale))}) scale(${short(scale, 2)} ${short(scale * turned, 2)})"${attributes && ' ' + attributes}/>`,
  )
}

/** A shard of crystal, one face in light. */
export function crystal(c, x, base, w, h, { lit, shade, lean = 0 }) {
  const tip = [x + lean * h, base - h]
  const knee = base - h * 0.72
  c.shape(polygon([[x - w / 2, base], [x - w / 2 + lean * h * 0.72, knee], tip, [x + w * 0.12 + lean * h * 0.7, knee + h * 0.06], [x + w * 0.1, base]]), lit)
  c.shape(polygon([[x + w * 0.1, base], [x + w * 0.12 + lean * h * 0.7, knee + h * 0.06], tip, [x + w / 2 + lean * h * 0.72, knee], [x + w / 2, base]]), shade)
}

/** Path data of a toothed wheel. */
export function gear(x, y, r, teeth = 10, hole = 0.35) {
  const points = []
  for (let i = 0; i < teeth; i += 1) {
    const a = (i / teeth) * Math.PI * 2
    const s = Math.PI / teeth
    for (const [offset, reach] of [[-0.62, 0.8], [-0.42, 1], [0.42, 1], [0.62, 0.8]]) points.push([x + Math.cos(a + offset * s) * r * reach, y + Math.sin(a + offset * s) * r * reach])
  }
  return polygon(points, { digits: 1 }) + dot(x, y, r * hole)
}
