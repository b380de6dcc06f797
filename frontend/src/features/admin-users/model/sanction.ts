/** Sanctions and roles of accounts. */
import * as v from 'valibot'
import { sanctionDays, sanctionFields } from '@/entities/moderation/rules'
import { oneOf, optionalText, requiredText } from '@/lib/text/rules'

export const ROLES = ['user', 'admin', 'founder'] as const
export type Role = (typeof ROLES)[number]

/** A role that has a text; the database has no others. */
export const roleOf = (text: string): Role => ROLES.find((role) => role === text) ?? 'user'

/** The roles that a person of a role may grant to a user; only a founder may revoke them. */
export const rolesGivenBy = (giver: string | undefined): readonly Role[] =>
  giver === 'founder' ? ROLES : ROLES.filter((role) => role !== 'founder')

const MAX_NOTE = 500

export const sanctionSchema = v.object(sanctionFields)
export const roleSchema = v.object({ role: oneOf(ROLES) })
export const addressesSchema = v.object({ days: sanctionDays })
export const banSchema = v.object({ what: requiredText(100), note: optionalText(MAX_NOTE), days: sanctionDays })

/** The moment so many days from now in the database's format; null without days. */
export function endOf(days: number | null, now: number): string | null {
  return days === null ? null : new Date(now + days * 86_400_000).toISOString()
}
