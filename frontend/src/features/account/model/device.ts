/**
 * Guesses a readable device name from a `User-Agent`. Knows the common browsers and systems; for
 * others it returns null.
 */

export interface Device {
  browser: string | null
  system: string | null
  isPhone: boolean
  /** The product of other clients, such as `curl/8.5.0`. */
  program: string | null
}

/** The first match counts: browsers also name the browsers they descend from. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Vivaldi\//, 'Vivaldi'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(?:e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? ''
  const nameIn = (known: readonly [RegExp, string][]): string | null =>
    known.find(([pattern]) => pattern.test(text))?.[1] ?? null
  const browser = nameIn(BROWSERS)
  const program =
    browser === null ? (/^(?!Mozilla\/)[\w.-]{2,40}(?:\/[\w.-]{1,20})?(?=\s|$)/.exec(text)?.[0] ?? null) : null
  return { browser, system: nameIn(SYSTEMS), isPhone: /Mobi|iPhone|iPod|Android/.test(text), program }
}
