/** How often the vote API may be asked, as this site's settings have it. */
import { givenSettings } from '@/lib/config'

export interface Limit {
  /** Questions at once. */
  burst: number
  /** Until one more is earned. */
  refillSeconds: number
}

export interface Limits {
  byId: Limit
  byToken: Limit
}

/** What the server takes when nothing is set. */
const USUAL: Limits = { byId: { burst: 60, refillSeconds: 1 }, byToken: { burst: 1200, refillSeconds: 0.05 } }

/** The limits written into the page. */
export function readLimits(page: Pick<Document, 'getElementById'>): Limits {
  const { questions } = givenSettings(page)
  const told = isObject(questions) ? questions : {}
  return { byId: limitOr(told.byId, USUAL.byId), byToken: limitOr(told.byToken, USUAL.byToken) }
}

/** The pace behind the burst: so many in a second, or one in so many seconds. */
export function paceOf({ refillSeconds }: Limit): { perSecond: number } | { seconds: number } {
  return refillSeconds > 1 ? { seconds: refillSeconds } : { perSecond: Math.round(10 / refillSeconds) / 10 }
}

function limitOr(value: unknown, usual: Limit): Limit {
  if (!isObject(value)) return usual
  const { burst, refillSeconds } = value
  return isPositive(burst) && isPositive(refillSeconds) ? { burst, refillSeconds } : usual
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
