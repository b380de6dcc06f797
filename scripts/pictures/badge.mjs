// The square emblem of a game: 96 × 96, with the same frame and light for all games.
import { lighter } from './canvas.mjs'

/** Wraps `symbol` (drawn in a 96 × 96 box, bold enough for 32 pixels) in the common frame. */
export function badge([top, bottom], symbol, defs = '') {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><defs>` +
    `<linearGradient id="z" x2=".4" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>` +
    `<radialGradient id="y" cx=".3" cy="0" r=".9"><stop stop-color="${lighter(top, 0.55)}" stop-opacity=".6"/><stop offset="1" stop-color="${top}" stop-opacity="0"/></radialGradient>` +
    `${defs}</defs><rect width="96" height="96" rx="22" fill="url(#z)"/><rect width="96" height="96" rx="22" fill="url(#y)"/>${symbol}` +
    `<rect x="1.5" y="1.5" width="93" height="93" rx="20.5" fill="none" stroke="#fff" stroke-opacity=".16" stroke-width="3"/></svg>\n`
  )
}

/** One filled path. */
export const fill = (data, colour, attributes = '') => `<path d="${data}" fill="${colour}"${attributes && ' ' + attributes}/>`

/** One stroked path with round ends. */
export const stroke = (data, colour, width, attributes = '') =>
  `<path d="${data}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${attributes && ' ' + attributes}/>`
