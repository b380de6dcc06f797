/** Cases for moderators: their kinds, and the possible decisions of each. */
import * as v from 'valibot'
import type { Database } from '@/lib/database'
import { MAX_STATEMENT, sanctionFields } from '@/entities/moderation/rules'
import { requiredText } from '@/lib/text/rules'

export const KINDS = ['report', 'server', 'edit', 'review', 'appeal'] as const
export type CaseKind = (typeof KINDS)[number] | 'account'

/** A kind that has a text; the database has no others. */
export function kindOf(text: string): CaseKind {
  return KINDS.find((kind) => kind === text) ?? 'account'
}

const DECISIONS = [
  'approved',
  'refused',
  'disabled',
  'dismissed',
  'hidden',
  'reverted',
  'sanctioned',
  'upheld',
  'overturned',
  'settled',
] as const
export type Decision = (typeof DECISIONS)[number]

export function decisionOf(text: string | null): Decision {
  return DECISIONS.find((decision) => decision === text) ?? 'settled'
}

export type CaseRow = Database['public']['Tables']['moderation_cases']['Row']

/** The columns of a listing that moderators check. */
const CONTENT = [
  'name',
  'description',
  'website_url',
  'discord_url',
  'video_url',
  'logo_image_url',
  'banner_image_url',
  'description_image_url',
  'backdrop_url',
] as const

export type ListingContent = Record<(typeof CONTENT)[number], string | null>

export interface Person {
  id: string
  username: string
  role: string
  language: string
  created_at: string
  total_votes: number
  is_banned: boolean
  banned_until: string | null
  servers: number
  reviews: number
  warnings: { id: string; reason: string; created_at: string; expires_at: string | null; is_active: boolean }[]
  decisions: Pick<
    CaseRow,
    'id' | 'kind' | 'label' | 'decision' | 'sanction' | 'reason' | 'decided_at' | 'taken_back_at'
  >[]
  same_address: { id: string; username: string; is_banned: boolean; created_at: string }[]
}

type DecidedCase = CaseRow & { decided_by_name: string | null }

/** A case with everything that belongs to it, as the database returns it. */
export interface CaseFile {
  case: DecidedCase
  server: (ListingContent & { id: string; slug: string; game: string; owner: string | null; created_at: string }) | null
  review: { id: string; rating: number; comment: string | null; is_hidden: boolean; created_at: string } | null
  reports: {
    id: string
    reason: string
    custom_reason: string | null
    status: string
    created_at: string
    reporter: string | null
    /** The author of a report without an account. */
    notice: { name: string; email: string; explanation: string } | null
  }[]
  appealed: DecidedCase | null
  history: { id: string; created_at: string; actor_name: string | null; action: string; subject_kind: string }[]
  person: Person | null
}

/**
 * The possible decisions of a case, in the order of the keys 1, 2, 3: the one without consequences
 * first.
 */
export function decisionsOf({ kind, review_id }: Pick<CaseRow, 'kind' | 'review_id'>): readonly Decision[] {
  if (kind === 'server') return ['approved', 'refused']
  if (kind === 'edit') return ['approved', 'reverted', 'disabled']
  if (kind === 'review') return ['approved', 'hidden']
  if (kind === 'appeal') return ['overturned', 'upheld']
  if (kind === 'report') return ['dismissed', review_id === null ? 'disabled' : 'hidden']
  return []
}

const AGAINST: readonly Decision[] = ['refused', 'disabled', 'hidden', 'reverted', 'upheld']

/** A decision against somebody needs a reason. */
export const needsWords = (decision: Decision): boolean => AGAINST.includes(decision)

/** The next case, or the previous one; null at the end of the queue. */
export function neighbourOf(ids: readonly string[], id: string, step: 1 | -1): string | null {
  const place = ids.indexOf(id)
  return place === -1 ? (ids[0] ?? null) : (ids[place + step] ?? null)
}

/** The case to open after a decision: the next one, else the previous one. */
export function afterDeciding(ids: readonly string[], id: string): string | null {
  return neighbourOf(ids, id, 1) ?? ids.filter((one) => one !== id).at(-1) ?? null
}

/** The columns of a listing that an edit changed. */
export function changedOf(before: Partial<ListingContent>, now: ListingContent): (keyof ListingContent)[] {
  return CONTENT.filter((name) => name in before && before[name] !== now[name])
}

export const SANCTIONS = ['warning', 'ban'] as const

/** The reason of a decision against somebody, and its sanction. */
export const againstSchema = v.variant('sanction', [
  v.object({
    ...sanctionFields,
    sanction: v.literal(''),
    // Without a sanction the field of days is hidden, so it must not be invalid.
    days: v.pipe(
      v.custom<number | null>(() => true),
      v.transform(() => null),
    ),
  }),
  v.object({ ...sanctionFields, sanction: v.picklist(SANCTIONS) }),
])
export const answerSchema = v.object({ statement: requiredText(MAX_STATEMENT) })
