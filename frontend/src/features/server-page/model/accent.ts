/** An owner's colour as custom properties that stay readable on the page in both themes. */
import type { CSSProperties } from 'react'
import { parseHex, readableOn, toHex, type Rgb } from '@/lib/colour'

/** The grounds of `tokens.css` on which coloured text is hardest to read: `accent-soft` of each theme. */
const LIGHT_GROUND: Rgb = [236, 229, 254]
const DARK_GROUND: Rgb = [35, 26, 66]
const WHITE: Rgb = [255, 255, 255]

/** Undefined for a colour that cannot be read: the site's own accent stays. */
export function accentOf(color: string | null): CSSProperties | undefined {
  const own = parseHex(color)
  if (own === null) return undefined
  const text = `light-dark(${toHex(readableOn(LIGHT_GROUND, own))}, ${toHex(readableOn(DARK_GROUND, own))})`
  // Buttons carry white text, so the fill is darkened until that can be read.
  const fill = toHex(readableOn(WHITE, own))
  return {
    '--accent': toHex(own),
    '--accent-text': text,
    '--accent-fill': fill,
    '--accent-fill-hover': fill,
  } as CSSProperties
}
