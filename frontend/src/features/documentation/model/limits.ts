/** The rate limits of the vote API, from this site's settings. */
import { givenSettings } from '@/lib/config'

export interface Limit {
  /** The number of requests at once. */
  burst: number
  /** Seconds until one more request is allowed. */
  refillSeconds: number
}

export interface Limits {
  byId: Limit
  byToken: Limit
}

/** The server's defaults. */
const USUAL: Limits = { byId: { burst: 60, refillSeconds: 1 }, byToken: { burst: 1200, refillSeconds: 0.05 } }

/** The limits that the server wrote into the page. */
export function readLimits(page: Pick<Document, 'getElementById'>): Limits {
  const { questions } = givenSettings(page)
  const limits = isObject(questions) ? questions : {}
  return { byId: limitOr(limits.byId, USUAL.byId), byToken: limitOr(limits.byToken, USUAL.byToken) }
}

/** The sustained rate after the burst: requests per second, or seconds per request. */
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
