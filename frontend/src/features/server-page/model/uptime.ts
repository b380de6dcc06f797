/** Uptime and player counts, computed from daily rows. */
import type { StatusDay } from '../api/status-days'

/**
 * The protocols of games; a mere open port is not among them, since it says nothing about the game.
 */
const PROTOCOLS = ['source', 'minecraft', 'bedrock', 'fivem'] as const
type Protocol = (typeof PROTOCOLS)[number]

export interface Uptime {
  /** The protocol of the last measurement. */
  protocol: Protocol
  /** The uptime as a share of the monitored time; null without any. */
  share: number | null
  /** The uptime of each day; null for a day without monitoring. */
  shares: (number | null)[]
  /** The peak of each day, and the average number of players; null where none were reported. */
  peaks: (number | null)[]
  means: (number | null)[]
  /**
   * The average of the peaks of each hour in the site's time zone; null where none were reported.
   */
  hours: (number | null)[]
}

/** Null if nothing was measured with a protocol of a game. */
export function uptimeOf(days: readonly string[], rows: readonly StatusDay[]): Uptime | null {
  const measured = rows.filter(({ method }) => protocolOf(method) !== undefined)
  const protocol = protocolOf(measured.at(-1)?.method)
  if (protocol === undefined) return null
  const byDay = new Map(measured.map((row) => [row.day, row]))
  const each = <Value>(read: (row: StatusDay) => Value | null): (Value | null)[] =>
    days.map((day) => {
      const row = byDay.get(day)
      return row === undefined ? null : read(row)
    })
  return {
    protocol,
    share: shareOf(sum(measured.map((row) => row.up_seconds)), sum(measured.map((row) => row.watched_seconds))),
    shares: each((row) => shareOf(row.up_seconds, row.watched_seconds)),
    peaks: each((row) => row.peak_players),
    means: each((row) => (row.told === 0 ? null : Math.round((row.players_sum / row.told) * 10) / 10)),
    hours: Array.from({ length: 24 }, (_, hour) => meanOf(measured.map((row) => row.hours[hour] ?? null))),
  }
}

/** The level of a day's uptime: full except for moments, most, or less. */
export function levelOf(share: number | null): 'full' | 'most' | 'some' | 'none' {
  if (share === null) return 'none'
  if (share >= 0.99) return 'full'
  return share >= 0.9 ? 'most' : 'some'
}

function protocolOf(method: string | undefined): Protocol | undefined {
  return PROTOCOLS.find((protocol) => protocol === method)
}

function sum(figures: readonly number[]): number {
  return figures.reduce((all, figure) => all + figure, 0)
}

function shareOf(up: number, watched: number): number | null {
  return watched === 0 ? null : up / watched
}

function meanOf(figures: readonly (number | null)[]): number | null {
  const knownFigures = figures.filter((figure) => figure !== null)
  return knownFigures.length === 0 ? null : Math.round((sum(knownFigures) / knownFigures.length) * 10) / 10
}
