// The brand: a podium in a laurel wreath, and the name in one line of round strokes.
// Only the first place is gold.
import { Canvas, short } from './canvas.mjs'
import { glow, motes, stars } from './landscape.mjs'
import { lettering } from './lettering.mjs'
import { arcadeNight } from './arcade.mjs'

const VIOLET = ['#a98cfb', '#8b5cf6', '#6d28d9']
const GOLD = ['#ffe08a', '#f5b83d']

/** One branch of leaves on the left; the right one is its mirror. */
const branch = (count, radius, size) => {
  let data = ''
  for (let i = 0; i < count; i += 1) {
    const t = i / (count - 1)
    const angle = ((108 + 112 * t) * Math.PI) / 180
    const [x, y] = [32 + Math.cos(angle) * radius, 33 + Math.sin(angle) * radius]
    // A leaf points along the branch and a little outwards.
    const heading = angle + Math.PI / 2 - 0.42
    const length = size * (1 - 0.16 * t)
    const [dx, dy] = [Math.cos(heading) * length, Math.sin(heading) * length]
    const [nx, ny] = [-dy * 0.36, dx * 0.36]
    const p = (a, b) => `${short(a, 1)} ${short(b, 1)}`
    data += `M${p(x - dx * 0.45, y - dy * 0.45)}Q${p(x + nx, y + ny)} ${p(x + dx * 0.55, y + dy * 0.55)}Q${p(x - nx, y - ny)} ${p(x - dx * 0.45, y - dy * 0.45)}z`
  }
  return data
}

const PODIUM = {
  first: '<rect x="26.5" y="24.5" width="11" height="24.5" rx="2.5"/>',
  second: '<rect x="14.5" y="31" width="10.5" height="18" rx="2.5"/>',
  third: '<rect x="39" y="36" width="10.5" height="13" rx="2.5"/>',
  star: '<path d="M32 8.5l2.300 4.700 5.200.7-3.800 3.600.9 5.100-4.600-2.400-4.600 2.400.9-5.100-3.800-3.600 5.200-.7z"/>',
}

const paints = (leafStops) =>
  `<linearGradient id="leaf" gradientUnits="userSpaceOnUse" x1="10" y1="4" x2="54" y2="62">${leafStops.map((c, i) => `<stop offset="${i / (leafStops.length - 1)}" stop-color="${c}"/>`).join('')}</linearGradient>` +
  `<linearGradient id="gold" gradientUnits="userSpaceOnUse" x1="26" y1="8" x2="38" y2="50"><stop stop-color="${GOLD[0]}"/><stop offset="1" stop-color="${GOLD[1]}"/></linearGradient>`

const markBody = (second, third) => {
  const leaves = branch(6, 25.5, 14)
  return (
    `<g fill="url(#leaf)"><path d="${leaves}"/><path transform="matrix(-1 0 0 1 64 0)" d="${leaves}"/></g>` +
    `<g fill="${second}">${PODIUM.second}</g><g fill="${third}">${PODIUM.third}</g><g fill="url(#gold)">${PODIUM.first}${PODIUM.star}</g>`
  )
}

/** The mark alone, 64 × 64, with a transparent background that fits dark and light pages. */
export const mark = () =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><defs>${paints(VIOLET)}</defs>${markBody('#a78bfa', '#7c3aed')}</svg>\n`

/** The mark on a violet tile with the corner `radius`; a smaller `scale` leaves a safe margin. */
export const tile = (radius, scale = 0.84) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><defs>${paints(['#ffffff', '#ddd2ff', '#b9a3ff'])}` +
  `<linearGradient id="tile" x2=".6" y2="1"><stop stop-color="#8b5cf6"/><stop offset=".55" stop-color="#5b2fc0"/><stop offset="1" stop-color="#241055"/></linearGradient></defs>` +
  `<rect width="64" height="64" rx="${radius}" fill="url(#tile)"/><g transform="translate(${short(32 - 32 * scale, 2)} ${short(32 - 32 * scale, 2)}) scale(${scale})">${markBody('#f3eeff', '#cfc0ff')}</g></svg>\n`

/** For a browser tab: the podium alone, bold enough for 16 pixels. */
export const favicon = () =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><defs><linearGradient id="tile" x2=".6" y2="1"><stop stop-color="#9b6dff"/><stop offset="1" stop-color="#4c1d95"/></linearGradient></defs>` +
  `<rect width="32" height="32" rx="8" fill="url(#tile)"/>` +
  `<rect x="5" y="17.5" width="6.5" height="9.5" rx="1.5" fill="#f3eeff"/><rect x="20.5" y="20.5" width="6.5" height="6.5" rx="1.5" fill="#d6c8ff"/>` +
  `<rect x="12.75" y="13.5" width="6.5" height="13.5" rx="1.5" fill="#ffd45e"/><path d="M16 2.6l1.5 3 3.300.5-2.400 2.300.6 3.300-3-1.600-3 1.600.6-3.300-2.400-2.300 3.300-.5z" fill="#ffd45e"/></svg>\n`

/** The name as strokes on a line at y = 76, and the grave accent as a leaf. */
const nameStrokes = (ink, leaf, width = 10.5) => {
  const bowl = (x) => `M${x + 19} 57a19 19 0 1 1-38 0 19 19 0 1 1 38 0zM${x + 19} 38v38`
  return (
    `<g fill="none" stroke="${ink}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">` +
    `<path d="M10 76V14H31a18.5 18.5 0 0 1 0 37H10"/><path d="${bowl(83)}"/><path d="M121 10V76"/>` +
    `<path d="M141 76V38M141 54a15 16 0 0 1 30 0V76M171 54a15 16 0 0 1 30 0V76"/><path d="${bowl(238)}"/>` +
    `<path d="M276 76V38M276 57a18 19 0 0 1 17-19"/><path d="M306 58h37a18.5 19 0 1 0-6 13"/>` +
    `<path d="M388 45C384 40 379 38 373 38 365 38 360 42 360 47 360 54 367 55.5 374 57 382 58.5 389 60 389 67 389 73 383 76 374 76 367 76 362 74 358 69"/></g>` +
    `<path d="M312 12C322 10 333 15 336 27 325 28 315 23 312 12z" fill="${leaf}"/>`
  )
}

const NAME_WIDTH = 400

export const wordmark = (ink, leaf = '#8b5cf6') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${NAME_WIDTH} 88" width="${NAME_WIDTH}" height="88">${nameStrokes(ink, leaf)}</svg>\n`

/** Mark and name side by side. */
export const lockup = (ink, leaf) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 516 96" width="516" height="96"><defs>${paints(VIOLET)}</defs><g transform="scale(1.5)">${markBody('#a78bfa', '#7c3aed')}</g><g transform="translate(112 4)">${nameStrokes(ink, leaf)}</g></svg>\n`

/** The preview image of a shared page, 1200 × 630. */
export function socialCard() {
  const c = new Canvas(1200, 630, 23)
  arcadeNight(c, { podium: false, drop: 138 })
  glow(c, 600, 250, 520, '#8b5cf6', 0.4)
  c.rect(0, 0, 1200, 630, '#0b0a14', 'opacity=".16"')
  stars(c, 90, 300)
  motes(c, 30, [80, 520], '#ffd98a', { size: [1.2, 2.8] })
  const firstLine = lettering('Votez pour vos serveurs de jeux', 50)
  const secondLine = lettering('Vote for your game servers  ·  Vota por tus servidores', 26)
  c.add(
    `<defs>${paints(VIOLET)}</defs><g transform="translate(526 36) scale(2.3)">${markBody('#a78bfa', '#7c3aed')}</g>`,
    `<g transform="translate(320 190) scale(1.4)">${nameStrokes('#f6f3ff', '#a78bfa')}</g>`,
    `<g fill="#f1edff" transform="translate(${short(600 - firstLine.width / 2)} 388)">${firstLine.markup}</g>`,
    `<g fill="#d6cdf4" transform="translate(${short(600 - secondLine.width / 2)} 434)">${secondLine.markup}</g>`,
  )
  return c.toString()
}
