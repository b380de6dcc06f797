/** An owner's color as custom properties with sufficient contrast in both themes. */
import type { CSSProperties } from 'react'
import { parseHex, readableOn, toHex, type Rgb } from '@/lib/text/colour'

/**
 * The backgrounds of `tokens.css` with the lowest contrast: text on `accent-soft`, shapes on
 * `background`.
 */
const LIGHT = { soft: [236, 229, 254], page: [246, 244, 251] } as const satisfies Record<string, Rgb>
const DARK = { soft: [35, 26, 66], page: [12, 10, 21] } as const satisfies Record<string, Rgb>

/** The background of the page in each theme, to show a color on both at once. */
export const GROUNDS = { dark: toHex(DARK.page), light: toHex(LIGHT.page) } as const

/** The contrast that shapes and edges need (WCAG 1.4.11). */
const SHAPE = 3

/**
 * Edges, stars and figures of the page take the owner's color; buttons keep the site's own, so that
 * an action looks the same on cards, pages and in dialogs. Undefined for a color that cannot be
 * parsed: the site's own accent stays.
 */
export function accentOf(color: string | null): CSSProperties | undefined {
  const accent = parseHex(color)
  if (accent === null) return undefined
  const both = (light: Rgb, dark: Rgb, atLeast?: number): string =>
    `light-dark(${toHex(readableOn(light, accent, atLeast))}, ${toHex(readableOn(dark, accent, atLeast))})`
  return {
    '--accent': both(LIGHT.page, DARK.page, SHAPE),
    '--accent-text': both(LIGHT.soft, DARK.soft),
  } as CSSProperties
}
