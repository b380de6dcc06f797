/**
 * The field to which a refusal of the database belongs. Constraints are recognized by name,
 * triggers by their message.
 */
import { ApiError, toApiError } from '@/lib/api/errors'
import type { Refusals } from '@/lib/i18n/refusal'
import type { ServerField } from './server-fields'

/** Our codes for constraints and messages of the database. */
const BY_WORDS: readonly (readonly [RegExp, code: string])[] = [
  [/servers_game_name_key/, 'name_taken'],
  [/servers_game_address_key/, 'address_taken'],
  [/Invalid server name/, 'name_invalid'],
  [/Invalid IP address/, 'address_invalid'],
  [/part of Prestige/, 'prestige_only'],
]

/** The same refusal with a code that says what is wrong. */
export function namedRefusal(cause: unknown): ApiError {
  const error = toApiError(cause)
  const code = BY_WORDS.find(([words]) => words.test(error.message))?.[1]
  return code === undefined ? error : new ApiError(code, error.message, error.status, error.details)
}

export const BLAMED = {
  name_taken: 'name',
  name_invalid: 'name',
  address_taken: 'ip_address',
  address_invalid: 'ip_address',
  '23503': 'game_id',
} as const satisfies Record<string, ServerField>

/** Texts that differ in the forms for servers. */
export const REFUSALS: Refusals = {
  name_taken: 'own-server:refusal.exists',
  address_taken: 'own-server:refusal.exists',
  '23505': 'own-server:refusal.exists',
  name_invalid: 'own-server:rule.name',
  address_invalid: 'own-server:rule.address',
  '22P02': 'own-server:refusal.invalid',
  '23514': 'own-server:refusal.invalid',
  '23502': 'own-server:refusal.required',
  '23503': 'own-server:refusal.game',
  PGRST116: 'own-server:refusal.permission',
  prestige_only: 'own-server:refusal.prestige',
  picture_pending: 'own-server:refusal.picture',
  edited_elsewhere: 'own-server:conflict.refused',
}
