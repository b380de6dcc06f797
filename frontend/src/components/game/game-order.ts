/** The order in which games are offered. Pure. */
import { fold } from '@/lib/text/fold'
import { collatorOf } from '@/lib/i18n/format'
import type { Language } from '@/lib/i18n/languages'

export interface GameChoice {
  id: string
  name: string
  /** Null or absent where the number is unknown. */
  game_figures?: { servers: number } | null
}

/** How many of the games with the most servers come before the alphabetical order. */
const LEADING = 8

const serversOf = ({ game_figures }: GameChoice): number => game_figures?.servers ?? 0

/**
 * The eight games with the most servers first, then the others by name, in the collation of the
 * language.
 */
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

/** The games whose name contains the typed text, ignoring accents and case. */
export function containing<Game extends GameChoice>(games: readonly Game[], typed: string): Game[] {
  const searchText = fold(typed)
  return games.filter(({ name }) => fold(name).includes(searchText))
}
