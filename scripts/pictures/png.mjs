// Writes a picture as a PNG of 256 colours. Chromium's own keeps every shade its gradients are dithered in, five times
// the bytes for what nobody sees.
import { deflateSync } from 'node:zlib'

const COLOURS = 256
const CHANNELS = [0, 1, 2, 3]

/** PNG bytes of `pixels`, four bytes each: red, green, blue, opacity. */
export function indexedPng(pixels, width, height) {
  const boxes = boxesOf(countsOf(pixels))
  const palette = boxes.map(meanOf)
  const indexOf = new Map(boxes.flatMap((box, index) => box.map(({ key }) => [key, index])))
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = indexOf.get(pixels.readUInt32BE((y * width + x) * 4))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => colour.slice(0, 3)))),
    chunk('tRNS', Buffer.from(palette.map((colour) => colour[3]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Every colour there is, and how often. */
function countsOf(pixels) {
  const counts = new Map()
  for (let at = 0; at < pixels.length; at += 4) {
    const key = pixels.readUInt32BE(at)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].map(([key, count]) => ({ key, count, colour: [key >>> 24, (key >>> 16) & 255, (key >>> 8) & 255, key & 255] }))
}

/** Halves the group that differs most in itself until there are as many as colours. */
function boxesOf(colours) {
  const boxes = [{ colours, ...spreadOf(colours) }]
  while (boxes.length < COLOURS) {
    const widest = boxes.reduce((found, box) => (box.spread > found.spread ? box : found))
    if (widest.spread === 0) break
    const sorted = widest.colours.toSorted((a, b) => a.colour[widest.channel] - b.colour[widest.channel])
    const mean = sorted.reduce((sum, { colour, count }) => sum + colour[widest.channel] * count, 0) / weightOf(sorted)
    const cut = Math.max(1, sorted.findIndex(({ colour }) => colour[widest.channel] > mean))
    const halves = [sorted.slice(0, cut), sorted.slice(cut)].map((half) => ({ colours: half, ...spreadOf(half) }))
    boxes.splice(boxes.indexOf(widest), 1, ...halves)
  }
  return boxes.map((box) => box.colours)
}

/** How far colours lie from their mean, in the channel where that is most. */
function spreadOf(colours) {
  const weight = weightOf(colours)
  const spreads = CHANNELS.map((channel) => {
    const mean = colours.reduce((sum, { colour, count }) => sum + colour[channel] * count, 0) / weight
    return colours.reduce((sum, { colour, count }) => sum + (colour[channel] - mean) ** 2 * count, 0)
  })
  const spread = Math.max(...spreads)
  return { spread, channel: spreads.indexOf(spread) }
}

function meanOf(colours) {
  const weight = weightOf(colours)
  return CHANNELS.map((channel) =>
    Math.round(colours.reduce((sum, { colour, count }) => sum + colour[channel] * count, 0) / weight),
  )
}

const weightOf = (colours) => colours.reduce((sum, { count }) => sum + count, 0)

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** As the format wants it; Node's own came with a version newer than the one that must do. */
function crc32(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
