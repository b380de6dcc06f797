/** What the days of a server's state come to. */
import type { StatusDay } from '../api/status-days'

/** How a server is asked; "the port answers" is not among them, since it says nothing of the game. */
const PROTOCOLS = ['source', 'minecraft', 'bedrock', 'fivem'] as const
type Protocol = (typeof PROTOCOLS)[number]

export interface Uptime {
  /** How it was measured last. */
  protocol: Protocol
  /** Of the time it was watched; null before it was. */
  share: number | null
  /** The same of each day; null where it was not watched. */
  shares: (number | null)[]
  /** The most players of each day, and how many there were on average; null where nobody told. */
  peaks: (number | null)[]
  means: (number | null)[]
  /** The most of each hour of the site's clock, averaged over the days; null where nobody told. */
  hours: (number | null)[]
}

/** Null where nothing was measured by a protocol of the game's own. */
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

/** How much of a day it was up: all of it but moments, most, or less. */
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
  const told = figures.filter((figure) => figure !== null)
  return told.length === 0 ? null : Math.round((sum(told) / told.length) * 10) / 10
}
