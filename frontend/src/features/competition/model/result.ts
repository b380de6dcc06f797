/**
 * The state of an event: the votes that count towards its target, and the leaders' places day by
 * day. Pure.
 */
import { eventState, type EventState } from '@/entities/event/state'

/** The target is compared with the votes of so many leaders together. */
export const BEST = 10

interface Contest {
  start_date: string
  end_date: string
  is_finished: boolean
  is_success: boolean | null
  total_votes: number | null
  target_votes: number
}

interface Standing {
  place: number | null
  votes_count: number | null
}

export interface Outcome {
  state: EventState
  /** The votes of the ten leaders together: the stored result, else the current sum. */
  votes: number
  reached: boolean
}

export function outcomeOf(event: Contest, standings: readonly Standing[], now: number): Outcome {
  const counted = standings
    .filter(({ place }) => place !== null && place <= BEST)
    .reduce((sum, { votes_count }) => sum + (votes_count ?? 0), 0)
  const votes = event.total_votes ?? counted
  return {
    state: event.is_finished ? 'ended' : eventState(event, now),
    votes,
    reached: event.is_success ?? votes >= event.target_votes,
  }
}

interface DayPlace {
  day: string
  server_id: string
  place: number
  votes_count: number
}

export interface PlaceHistory {
  days: string[]
  /** For each server, its place on each day; null where it was not among the ten leaders. */
  rows: { server: string; places: (number | null)[]; votes: (number | null)[] }[]
}

/** The days with the places of the given servers, in the given order. */
export function courseOf(places: readonly DayPlace[], servers: readonly string[]): PlaceHistory {
  const days = [...new Set(places.map(({ day }) => day))].toSorted()
  const at = new Map(places.map((row) => [`${row.server_id} ${row.day}`, row]))
  const rows = servers.map((server) => {
    const found = days.map((day) => at.get(`${server} ${day}`))
    return {
      server,
      places: found.map((row) => row?.place ?? null),
      votes: found.map((row) => row?.votes_count ?? null),
    }
  })
  return { days, rows: rows.filter((row) => row.places.some((place) => place !== null)) }
}
