/** Validation of a partner, and the state of the link back. */
import * as v from 'valibot'
import { optionalText, optionalWebAddress, requiredText, webAddress, wholeNumber } from '@/lib/text/rules'

export const MAX_NAME = 80
export const MAX_DESCRIPTION = 300

export const partnerSchema = v.object({
  name: requiredText(MAX_NAME),
  url: webAddress(),
  logo: v.string(),
  description: optionalText(MAX_DESCRIPTION),
  position: wholeNumber({ min: 0, max: 100_000 }),
  backlink: optionalWebAddress(),
  shown: v.boolean(),
})

export type PartnerValues = v.InferOutput<typeof partnerSchema>

interface PartnerRow {
  name: string
  url: string
  logo_url: string | null
  description: string | null
  position: number
  backlink_url: string | null
  is_active: boolean
}

export function partnerValues(partner: PartnerRow | null): PartnerValues {
  return {
    name: partner?.name ?? '',
    url: partner?.url ?? '',
    logo: partner?.logo_url ?? '',
    description: partner?.description ?? '',
    position: partner?.position ?? 100,
    backlink: partner?.backlink_url ?? '',
    shown: partner?.is_active ?? true,
  }
}

/** The results of a check: the table's codes, and our text keys. */
const FAULTS = {
  no_link: 'noLink',
  nofollow: 'nofollow',
  status: 'status',
  redirects: 'redirects',
  not_html: 'notHtml',
  not_public: 'notPublic',
  name_not_found: 'nameNotFound',
  timed_out: 'timedOut',
  too_long: 'tooLong',
  unreachable: 'unreachable',
} as const

type Fault = (typeof FAULTS)[keyof typeof FAULTS]

export interface Backlink {
  backlink_url: string | null
  backlink_found: boolean | null
  backlink_fault: string | null
  backlink_checked_at: string | null
  backlink_asked_at: string
}

export type BacklinkState =
  { state: 'none' } | { state: 'asked' } | { state: 'linked' } | { state: 'faulty'; fault: Fault }

export function backlinkState(partner: Backlink): BacklinkState {
  if (partner.backlink_url === null) return { state: 'none' }
  if (isAsked(partner)) return { state: 'asked' }
  if (partner.backlink_fault === null) return { state: 'linked' }
  return {
    state: 'faulty',
    fault: Object.entries(FAULTS).find(([word]) => word === partner.backlink_fault)?.[1] ?? 'unreachable',
  }
}

/** Whether a check is pending. */
function isAsked({ backlink_checked_at: checked, backlink_asked_at: requested }: Backlink): boolean {
  return checked === null || Date.parse(checked) < Date.parse(requested)
}
