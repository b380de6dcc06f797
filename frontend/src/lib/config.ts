/**
 * The settings the server writes into the page, read once. Knows nothing of how they are used.
 */

export type CaptchaProvider = 'altcha' | 'hcaptcha' | 'turnstile'

export interface Config {
  /** Origin of the API; empty means the page's own. */
  readonly url: string
  /** The publishable key every request carries. */
  readonly anonKey: string
  readonly captcha: CaptchaProvider
  /** The site key at the captcha provider; empty for the site's own bot check. */
  readonly captchaSiteKey: string
  /** Name of the site. */
  readonly siteName: string
  /** IANA name of the zone in which months end and votes reset. */
  readonly timezone: string
  /** End of the current month in that zone, in milliseconds; 0 if the server does not send it. */
  readonly monthEnd: number
  readonly voteCooldownSeconds: number
}

const DEFAULTS: Config = {
  url: '',
  // The client refuses an empty key. With this placeholder, the server refuses the request instead.
  anonKey: 'missing',
  captcha: 'altcha',
  captchaSiteKey: '',
  siteName: 'Palmarès',
  timezone: 'Europe/Paris',
  monthEnd: 0,
  voteCooldownSeconds: 7200,
}

/** Reads the settings of a page; anything missing or unreadable falls back to the default. */
function readConfig(page: Pick<Document, 'getElementById'>): Config {
  const settings = givenSettings(page)
  return {
    url: stringOr(settings.url, DEFAULTS.url),
    anonKey: stringOr(settings.anonKey, '') || DEFAULTS.anonKey,
    captcha: isCaptcha(settings.captcha) ? settings.captcha : DEFAULTS.captcha,
    captchaSiteKey: stringOr(settings.captchaSiteKey, DEFAULTS.captchaSiteKey),
    siteName: stringOr(settings.siteName, '') || DEFAULTS.siteName,
    timezone: stringOr(settings.timezone, DEFAULTS.timezone),
    monthEnd: positiveOr(settings.monthEndsAt, 0) * 1000,
    voteCooldownSeconds: positiveOr(settings.voteCooldownSeconds, DEFAULTS.voteCooldownSeconds),
  }
}

/** The server's settings, not validated: for settings that only some pages contain. */
export function givenSettings(page: Pick<Document, 'getElementById'>): Record<string, unknown> {
  const text = page.getElementById('palmares-config')?.textContent ?? ''
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function stringOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback
}

function positiveOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : fallback
}

function isCaptcha(value: unknown): value is CaptchaProvider {
  return value === 'altcha' || value === 'hcaptcha' || value === 'turnstile'
}

export const config: Config = readConfig(document)

/** Absolute origin of the API and of the images and widgets that other sites embed. */
export const apiOrigin = config.url || window.location.origin
