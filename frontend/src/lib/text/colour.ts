/**
 * Keeps owners' colors readable: contrast by WCAG 2, and a color moved towards white or black only
 * as far as the contrast needs. Independent of tokens: callers pass the background.
 */

export type Rgb = readonly [red: number, green: number, blue: number]

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

/** Parses `#rgb` or `#rrggbb`; null for anything else, which must never reach a style sheet. */
export function parseHex(text: string | null | undefined): Rgb | null {
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text?.trim() ?? '')?.[1]
  if (hex === undefined) return null
  const wide = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
  const part = (at: number): number => Number.parseInt(wide.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

export function toHex(colour: Rgb): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number): number => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Contrast of two colours, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * share)
  return [part(0), part(1), part(2)]
}

/**
 * The color itself if it is readable on `ground`, else the nearest lighter or darker one that is.
 */
export function readableOn(background: Rgb, colour: Rgb, atLeast = 4.5): Rgb {
  if (contrast(colour, background) >= atLeast) return colour
  const towards = contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK
  for (let step = 1; step < 20; step += 1) {
    const moved = mix(colour, towards, step / 20)
    if (contrast(moved, background) >= atLeast) return moved
  }
  return towards
}
