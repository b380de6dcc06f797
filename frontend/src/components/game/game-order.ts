/** The order in which games are offered. Pure. */
import { fold } from '@/lib/text/fold'
import { collatorOf } from '@/lib/i18n/format'
import type { Language } from '@/lib/i18n/languages'

export interface GameChoice {
  id: string
  name: string
  /** Null or absent where nobody has counted. */
  game_figures?: { servers: number } | null
}

/** How many of those with the most servers stand before the alphabet. */
const LEADING = 8

const serversOf = ({ game_figures }: GameChoice): number => game_figures?.servers ?? 0

/** The eight with the most servers first, then the others by name, as the language sorts. */
export function inOrder<Game extends GameChoice>(games: readonly Game[], language: Language): Game[] {
  const names = collatorOf(language)
  const byName = games.toSorted((a, b) => names.compare(a.name, b.name))
  const leading = byName
    .filter((game) => serversOf(game) > 0)
    .toSorted((a, b) => serversOf(b) - serversOf(a))
    .slice(0, LEADING)
  const known = new Set<Game>(leading)
  return [...leading, ...byName.filter((game) => !known.has(game))]
}

/** Those whose name contains what was typed, whatever its accents and case. */
export function containing<Game extends GameChoice>(games: readonly Game[], typed: string): Game[] {
  const wanted = fold(typed)
  return games.filter(({ name }) => fold(name).includes(wanted))
}
