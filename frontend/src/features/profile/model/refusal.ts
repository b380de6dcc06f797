/** How a refusal of what this page writes is said. */
import type { ApiError } from '@/lib/errors'
import type { TextKey } from '@/lib/i18n'
import type { Said } from '@/lib/query-client'

type Key = 'refusal.nameTaken' | 'refusal.nameInvalid' | 'refusal.forbidden' | 'refusal.limit' | 'refusal.offline'

/** SQLSTATEs; no row answered means that row security let none through. */
const BY_CODE: Readonly<Record<string, Key>> = {
  '23505': 'refusal.nameTaken',
  '23514': 'refusal.nameInvalid',
  '42501': 'refusal.forbidden',
  PGRST116: 'refusal.forbidden',
  // Raised where no more servers may be shown at once.
  P0001: 'refusal.limit',
  offline: 'refusal.offline',
}

/** Undefined for a code there are no words for: the server's own text stands then. */
export function refusalOf(error: ApiError): Key | undefined {
  return Object.hasOwn(BY_CODE, error.code) ? BY_CODE[error.code] : undefined
}

/** Says a refused change under its title. */
export function failing(title: TextKey): (error: ApiError) => Said {
  return (error) => {
    const key = refusalOf(error)
    return key === undefined ? { title } : { title, text: `profile:${key}` }
  }
}
