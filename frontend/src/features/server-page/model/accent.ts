/** An owner's colour as custom properties that stay readable on the page in both themes. */
import type { CSSProperties } from 'react'
import { contrast, parseHex, readableOn, toHex, type Rgb } from '@/lib/colour'

/** The grounds of `tokens.css` on which coloured text is hardest to read: `accent-soft` of each theme. */
const LIGHT_GROUND: Rgb = [236, 229, 254]
const DARK_GROUND: Rgb = [35, 26, 66]
const WHITE: Rgb = [255, 255, 255]
const INK: Rgb = [26, 20, 41]

/** Undefined for a colour that cannot be read: the site's own accent stays. */
export function accentOf(color: string | null): CSSProperties | undefined {
  const own = parseHex(color)
  if (own === null) return undefined
  const text = `light-dark(${toHex(readableOn(LIGHT_GROUND, own))}, ${toHex(readableOn(DARK_GROUND, own))})`
  const button = buttonOf(own)
  return {
    '--accent': toHex(own),
    '--accent-text': text,
    '--accent-fill': toHex(button.fill),
    '--accent-fill-hover': toHex(button.fill),
    '--accent-contrast': toHex(button.ink),
  } as CSSProperties
}

/** Bright colours stay as they are under dark ink; dark ones carry white, deepened until it can be read. */
function buttonOf(own: Rgb): { fill: Rgb; ink: Rgb } {
  return contrast(own, INK) >= 7 ? { fill: own, ink: INK } : { fill: readableOn(WHITE, own), ink: WHITE }
}
