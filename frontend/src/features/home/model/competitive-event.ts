/** When an event is announced, and its state. */
import type { TranslatedName } from '@/lib/i18n/translated-name'

export interface CompetitiveEvent extends TranslatedName {
  id: string
  start_date: string
  end_date: string
  is_active: boolean
  is_finished: boolean
  is_success: boolean | null
  /** The total of the ten leaders, once the event is finalized. */
  total_votes: number | null
  target_votes: number
  winner_count: number
  prestige_days: number
}

export interface Participant {
  server_id: string
  votes_count: number
  /** The days of Prestige that it won. */
  prize_days: number | null
  name: string | null
  slug: string | null
  logo_image_url: string | null
}

export type EventPhase = 'upcoming' | 'active' | 'ended'

const SHOWN_AFTER_END = 10 * 60_000

export function phaseOf(event: CompetitiveEvent, now: number): EventPhase {
  if (now < Date.parse(event.start_date)) return 'upcoming'
  return now < Date.parse(event.end_date) ? 'active' : 'ended'
}

/** The running event, else one that ended less than ten minutes ago, else the next. */
export function eventToShow<Event extends CompetitiveEvent>(events: readonly Event[], now: number): Event | undefined {
  const by = (phase: EventPhase) => events.filter((event) => phaseOf(event, now) === phase)
  const upcoming = by('upcoming').toSorted((a, b) => Date.parse(a.start_date) - Date.parse(b.start_date))
  return (
    by('active').find((event) => !event.is_finished) ??
    by('ended').find((event) => now - Date.parse(event.end_date) < SHOWN_AFTER_END) ??
    upcoming.find((event) => !event.is_finished)
  )
}

/** The votes that count towards the target: the total of the ten leaders. */
export function votesTogether(leaders: readonly Pick<Participant, 'votes_count'>[]): number {
  return leaders.reduce((sum, leader) => sum + leader.votes_count, 0)
}
