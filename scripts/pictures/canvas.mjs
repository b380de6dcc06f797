// A canvas that collects shapes and gradients, and writes one small, self-contained SVG. It does not know what
// is drawn: `landscape.mjs` and `motifs.mjs` contain the motifs.

/** A seeded generator of random numbers: the same seed always draws the same picture. */
export function randomSource(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (low, high) => low + (high - low) * next()
  return {
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    sign: () => (next() < 0.5 ? -1 : 1),
  }
}

/** The shortest text of a coordinate with at most `digits` decimals. */
export const short = (value, digits = 0) => {
  const text = Number(value.toFixed(digits)).toString()
  return text.replace(/^(-?)0\./, '$1.')
}

const channels = (colour) => {
  const hex = colour.slice(1)
  const full = hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex
  return [0, 2, 4].map((i) => parseInt(full.slice(i, i + 2), 16))
}

/** The colour `share` of the way from `from` to `to` (both `#rgb` or `#rrggbb`). */
export function mix(from, to, share) {
  const [a, b] = [channels(from), channels(to)]
  return '#' + a.map((v, i) => Math.round(v + (b[i] - v) * share).toString(16).padStart(2, '0')).join('')
}

export const lighter = (colour, share = 0.2) => mix(colour, '#ffffff', share)
export const darker = (colour, share = 0.2) => mix(colour, '#07060f', share)

/** Path data of straight lines through `points`; closed by default. */
export function polygon(points, { digits = 0, close = true } = {}) {
  let previous = null
  let data = ''
  for (const [x, y] of points) {
    const [sx, sy] = [Number(x.toFixed(digits)), Number(y.toFixed(digits))]
    if (!previous) data = `M${short(sx, digits)} ${short(sy, digits)}`
    else {
      const [dx, dy] = [sx - previous[0], sy - previous[1]]
      if (dx === 0 && dy === 0) continue
      if (dy === 0) data += `h${short(dx, digits)}`
      else if (dx === 0) data += `v${short(dy, digits)}`
      else data += `l${short(dx, digits)}${dy < 0 ? '' : ' '}${short(dy, digits)}`
    }
    previous = [sx, sy]
  }
  return data + (close ? 'z' : '')
}

/** Path data of a soft curve through the middles of `points`, closed along the bottom at `floor` when given. */
export function curve(points, floor) {
  const [first] = points
  let data = `M${short(first[0])} ${short(first[1])}`
  for (let i = 1; i < points.length - 1; i += 1) {
    const [x, y] = points[i]
    const [nx, ny] = points[i + 1]
    const last = i === points.length - 2
    data += `Q${short(x)} ${short(y)} ${short(last ? nx : (x + nx) / 2)} ${short(last ? ny : (y + ny) / 2)}`
  }
  return floor === undefined ? data : `${data}V${short(floor)}H${short(first[0])}z`
}

/** Path data of a circle, so that one shape can contain many. */
export const dot = (x, y, r, digits = 1) => {
  const d = short(2 * r, digits)
  const rr = short(r, digits)
  return `M${short(x - r, digits)} ${short(y, digits)}a${rr} ${rr} 0 1 0 ${d} 0a${rr} ${rr} 0 1 0-${d} 0`
}

/** Path data of a rectangle. */
export const box = (x, y, w, h, digits = 0) =>
  `M${short(x, digits)} ${short(y, digits)}h${short(w, digits)}v${short(h, digits)}h${short(-w, digits)}z`

export class Canvas {
  #defs = []
  #ids = new Map()
  #parts = []

  constructor(width, height, seed = 1) {
    this.width = width
    this.height = height
    this.random = randomSource(seed)
  }

  #define(key, markup) {
    const existing = this.#ids.get(key)
    if (existing) return existing
    const id = 'abcdefghijklmnopqrstuvwxyz'[this.#ids.size % 26] + (this.#ids.size >= 26 ? Math.floor(this.#ids.size / 26) : '')
    this.#ids.set(key, id)
    this.#defs.push(markup(id))
    return id
  }

  #gradient(tag, attributes, stops) {
    const stopElements = stops
      .map((stop, i) => {
        const [colour, offset = i / Math.max(1, stops.length - 1), opacity = 1] = Array.isArray(stop) ? stop : [stop]
        return `<stop${offset ? ` offset="${short(offset, 3)}"` : ''} stop-color="${colour}"${opacity === 1 ? '' : ` stop-opacity="${short(opacity, 3)}"`}/>`
      })
      .join('')
    const id = this.#define(tag + attributes + stopElements, (name) => `<${tag} id="${name}"${attributes}>${stopElements}</${tag}>`)
    return `url(#${id})`
  }

  /** A gradient from top to bottom. A stop is a colour or `[colour, offset, opacity]`. */
  vertical(...stops) {
    return this.#gradient('linearGradient', ' x2="0" y2="1"', stops)
  }
  horizontal(...stops) {
    return this.#gradient('linearGradient', '', stops)
  }
  diagonal(...stops) {
    return this.#gradient('linearGradient', ' x2="1" y2="1"', stops)
  }
  radial(...stops) {
    return this.#gradient('radialGradient', '', stops)
  }
  /** A gradient between two heights of the canvas, so that many shapes share it. */
  verticalBetween(top, bottom, ...stops) {
    return this.#gradient('linearGradient', ` gradientUnits="userSpaceOnUse" x2="0" y1="${short(top)}" y2="${short(bottom)}"`, stops)
  }

  add(...markup) {
    this.#parts.push(...markup)
    return this
  }
  shape(data, fill, attributes = '') {
    return this.add(`<path d="${data}" fill="${fill}"${attributes && ' ' + attributes}/>`)
  }
  line(data, stroke, width, attributes = '') {
    return this.add(`<path d="${data}" fill="none" stroke="${stroke}" stroke-width="${short(width, 1)}"${attributes && ' ' + attributes}/>`)
  }
  rect(x, y, w, h, fill, attributes = '') {
    return this.add(
      `<rect${x ? ` x="${short(x)}"` : ''}${y ? ` y="${short(y)}"` : ''} width="${short(w)}" height="${short(h)}" fill="${fill}"${attributes && ' ' + attributes}/>`,
    )
  }
  circle(x, y, r, fill, attributes = '') {
    return this.add(`<circle cx="${short(x, 1)}" cy="${short(y, 1)}" r="${short(r, 1)}" fill="${fill}"${attributes && ' ' + attributes}/>`)
  }
  ellipse(x, y, rx, ry, fill, attributes = '') {
    return this.add(
      `<ellipse cx="${short(x, 1)}" cy="${short(y, 1)}" rx="${short(rx, 1)}" ry="${short(ry, 1)}" fill="${fill}"${attributes && ' ' + attributes}/>`,
    )
  }
  /** Puts everything that `draw` adds into one group. */
  group(attributes, draw) {
    this.add(`<g ${attributes}>`)
    draw(this)
    return this.add('</g>')
  }
  /** Defines a drawing that `use` can place many times; returns its id. */
  define(markup) {
    return this.#define('stamp' + markup, (id) => `<g id="${id}">${markup}</g>`)
  }
  use(id, x, y, scaleX = 1, scaleY = Math.abs(scaleX), attributes = '') {
    const scale = scaleX === 1 && scaleY === 1 ? '' : ` scale(${short(scaleX, 2)} ${short(scaleY, 2)})`
    return this.add(`<use href="#${id}" transform="translate(${short(x)} ${short(y)})${scale}"${attributes && ' ' + attributes}/>`)
  }
  /** Draws on a canvas of `width` × `height`, scaled to cover this one and centred on it. */
  cover(width, height, draw) {
    const actual = { width: this.width, height: this.height }
    const scale = Math.max(actual.width / width, actual.height / height)
    const [dx, dy] = [(actual.width - width * scale) / 2, (actual.height - height * scale) / 2]
    return this.group(`transform="translate(${short(dx, 1)} ${short(dy, 1)}) scale(${short(scale, 4)})"`, () => {
      Object.assign(this, { width, height })
      draw(this)
      Object.assign(this, actual)
    })
  }
  /** Clips what `draw` adds to the path. */
  clip(data, draw) {
    const id = this.#define('clip' + data, (name) => `<clipPath id="${name}"><path d="${data}"/></clipPath>`)
    return this.group(`clip-path="url(#${id})"`, draw)
  }

  toString() {
    const defs = this.#defs.length ? `<defs>${this.#defs.join('')}</defs>` : ''
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" height="${this.height}">${defs}${this.#parts.join('')}</svg>\n`
  }
}
