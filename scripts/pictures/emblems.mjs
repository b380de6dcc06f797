// Emblems of demonstration servers: a symbol on a field in a frame, in the colours of a palette. The n-th emblem
// is always the same; no two have the same symbol and palette.
import { randomSource, darker, lighter, mix, polygon, short } from './canvas.mjs'
import { glyph, NAMES } from './glyphs.mjs'

/** [field top, field bottom, light, accent, dark] */
const PALETTES = [
  ['#5b3fd1', '#1d1347', '#f4efff', '#ffcf5a', '#1a1040'],
  ['#1f8a8c', '#0b2f45', '#eafff6', '#7ff0c8', '#0a2534'],
  ['#c8403a', '#4a0f22', '#fff1e4', '#ffb84a', '#360a1a'],
  ['#2f6fd8', '#101f58', '#eef6ff', '#6fe0ff', '#0c1844'],
  ['#2f8f52', '#0d3328', '#f2ffe4', '#c9f06a', '#0a271f'],
  ['#f0a03c', '#8a3420', '#fff7e4', '#5a1a1f', '#4a1418'],
  ['#3a3f52', '#12141f', '#f2f4fa', '#ff5f6a', '#0e1019'],
  ['#d94f96', '#4f1350', '#fff0f8', '#ffd27a', '#3a0c3e'],
  ['#24aee0', '#123a86', '#ffffff', '#ffe06a', '#0d2a63'],
  ['#7a4a2f', '#2a1714', '#fbe9cf', '#f2a03c', '#20100e'],
  ['#0f1a2e', '#060a16', '#c9f6ff', '#39d5ff', '#0a1424'],
  ['#f4ead2', '#d9b98a', '#8a2f2a', '#3f6f6a', '#3a1f1c'],
  ['#8fd0e8', '#3f7fc0', '#ffffff', '#1f3f86', '#16306a'],
  ['#1c1420', '#0c080f', '#ff6a3a', '#ffc24a', '#170c14'],
  ['#6a8a3a', '#233a1f', '#fff9dc', '#f2c84a', '#1a2c18'],
  ['#a83a6a', '#2a1050', '#ffe4ef', '#7fe8ff', '#220c40'],
  ['#e8e6f4', '#b0acd8', '#4a3fa0', '#e0508a', '#241e58'],
  ['#d96a2a', '#5c1f14', '#fff4e0', '#ffd86a', '#43150e'],
  ['#127a6a', '#062b34', '#fff4d4', '#ff8a5a', '#052129'],
  ['#4a5a7a', '#1a2238', '#f6f8ff', '#9fd06a', '#131a2c'],
  ['#ffd45a', '#e08a2a', '#3a1f3a', '#b02f4a', '#2a142c'],
  ['#3c1f6a', '#120a2a', '#d9c4ff', '#a5ff6a', '#100824'],
  ['#b02a34', '#28090f', '#ffe9a8', '#f4f0ea', '#22070c'],
  ['#4fb0a0', '#1f4a6a', '#fffbe6', '#ffb0a0', '#16364e'],
]

const ring = (cx, cy, r, sides, turn = 0) =>
  polygon(Array.from({ length: sides }, (_, i) => { const a = turn + (i / sides) * Math.PI * 2; return [cx + Math.cos(a) * r, cy + Math.sin(a) * r] }), { digits: 1 })

/** Faint patterns of the field behind the symbol. */
const FIELDS = [
  () => '',
  (light) => `<path d="${Array.from({ length: 12 }, (_, i) => { const a = (i / 12) * 6.2832; return polygon([[48, 48], [48 + 80 * Math.cos(a), 48 + 80 * Math.sin(a)], [48 + 80 * Math.cos(a + 0.26), 48 + 80 * Math.sin(a + 0.26)]]) }).join('')}" fill="${light}" opacity=".09"/>`,
  (light) => `<path d="M0 96 96 0V96z" fill="${light}" opacity=".1"/>`,
  (light) => `<path d="M48 0H96V96H48z" fill="${light}" opacity=".1"/>`,
  (light) => `<path d="M0 20 48 52 96 20V44L48 76 0 44zM0 68 48 100 96 68V96H0z" fill="${light}" opacity=".09"/>`,
  (light) => `<g fill="none" stroke="${light}" stroke-width="3" opacity=".14"><circle cx="48" cy="48" r="28"/><circle cx="48" cy="48" r="42"/><circle cx="48" cy="48" r="56"/></g>`,
  (light) => `<path d="M0 72Q24 60 48 70T96 64V96H0z" fill="${light}" opacity=".13"/><path d="M0 82Q24 74 48 82T96 78V96H0z" fill="${light}" opacity=".13"/>`,
  (light) => `<path d="${Array.from({ length: 16 }, (_, i) => `M${(i % 4) * 24 + 8} ${Math.floor(i / 4) * 24 + 8}h8v8h-8z`).join('')}" fill="${light}" opacity=".08"/>`,
  (light) => `<path d="M-10 40 40-10H64L-10 64zM16 106 106 16V40L40 106z" fill="${light}" opacity=".09"/>`,
  (light, next) => `<path d="${Array.from({ length: 26 }, () => `M${short(next() * 96)} ${short(next() * 96)}h0`).join('')}" stroke="${light}" stroke-width="2.4" stroke-linecap="round" opacity=".5"/>`,
]

/** The frames around the symbol: [scale of the symbol, vertical offset, markup]. */
const FRAMES = [
  () => [0.8, 0, ''],
  (p) => [0.66, 0, `<circle cx="48" cy="48" r="41" fill="${p.deep}"/><circle cx="48" cy="48" r="38.5" fill="none" stroke="${p.accent}" stroke-width="4"/>`],
  (p) => [0.62, -1, `<path d="M48 4 88 14V46C88 70 70 84 48 93 26 84 8 70 8 46V14z" fill="${p.accent}"/><path d="M48 10 82 19V46C82 66 67 79 48 87 29 79 14 66 14 46V19z" fill="${p.deep}"/>`],
  (p) => [0.63, 0, `<path d="${ring(48, 48, 45, 6, Math.PI / 6)}" fill="${p.accent}"/><path d="${ring(48, 48, 39.5, 6, Math.PI / 6)}" fill="${p.deep}"/>`],
  (p) => [0.74, 0, `<rect x="5" y="5" width="86" height="86" rx="10" fill="none" stroke="${p.accent}" stroke-width="4"/>`],
  (p) => [0.54, 0, `<path d="M48 3 93 48 48 93 3 48z" fill="${p.accent}"/><path d="M48 11 85 48 48 85 11 48z" fill="${p.deep}"/>`],
  (p) => [0.67, 0, `<path d="${ring(48, 48, 45, 8, Math.PI / 8)}" fill="${p.deep}"/><path d="${ring(48, 48, 41, 8, Math.PI / 8)}" fill="none" stroke="${p.light}" stroke-width="3" opacity=".8"/>`],
  (p) => [0.82, 0, `<circle cx="48" cy="48" r="38" fill="${p.accent}" opacity=".22"/>`],
  (p) => [0.6, -5, `<path d="M14 0H82V78L48 92 14 78z" fill="${p.accent}"/><path d="M19 0H77V74L48 86 19 74z" fill="${p.deep}"/>`],
  (p) => [0.72, 0, `<path d="M4 26V4H26M70 4H92V26M92 70V92H70M26 92H4V70" fill="none" stroke="${p.accent}" stroke-width="5"/>`],
  (p) => [0.56, 0, `<path d="${Array.from({ length: 24 }, (_, i) => { const a = (i / 24) * Math.PI * 2; const r = i % 2 ? 38 : 46; return `${i ? 'L' : 'M'}${short(48 + r * Math.cos(a), 1)} ${short(48 + r * Math.sin(a), 1)}` }).join('')}z" fill="${p.accent}"/><circle cx="48" cy="48" r="34" fill="${p.deep}"/>`],
]

/** The emblem with this number (from 1). */
export function emblem(number) {
  const index = number - 1
  const { next, pick, whole } = randomSource(number * 7919)
  // Palette and frame advance by other steps than the symbol, so neighbours never look alike.
  const name = NAMES[(index * 29) % NAMES.length]
  const round = Math.floor(index / NAMES.length)
  const [top, bottom, light, accent, dark] = PALETTES[(index * 7 + round * 11) % PALETTES.length]
  const deep = mix(dark, bottom, 0.25)
  const brightField = parseInt(top.slice(1, 3), 16) + parseInt(top.slice(3, 5), 16) > 360 && parseInt(light.slice(1, 3), 16) < 160
  const palette = { light, accent, deep: brightField ? mix(top, '#ffffff', 0.45) : deep }
  const [size, drop, frame] = FRAMES[(index * 3 + round * 5 + whole(0, 1)) % FRAMES.length](palette)
  const field = pick(FIELDS)(brightField ? dark : light, next)
  const tones = {
    a: light,
    b: brightField ? lighter(light, 0.16) : mix(light, bottom, 0.3),
    c: brightField ? mix(top, '#ffffff', 0.3) : dark,
    d: accent,
    e: darker(accent, 0.26),
  }
  const transform = `translate(${short(48 - 48 * size, 1)} ${short(48 - 48 * size + drop, 1)}) scale(${short(size, 2)})`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><defs><linearGradient id="a" x2=".5" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>` +
    `<rect width="96" height="96" fill="url(#a)"/>${field}${frame}<g transform="${transform}">${glyph(name, tones)}</g></svg>\n`
  )
}
