/** Games by their figures. Pure. */
import { collatorOf } from '@/lib/i18n/format'
import type { Language } from '@/lib/i18n/languages'
import shortcuts from '@/lib/shortcuts.json'
import type { Game, GameFigures } from '@/entities/game/queries'

const WITH_SHORTCUT: ReadonlySet<string> = new Set(Object.values(shortcuts).flatMap(({ games }) => games))

/**
 * Sorted by the number of servers; equal ones with a page of their own name first, then by name.
 */
export function byServers(games: readonly Game[], language: Language): Game[] {
  const names = collatorOf(language)
  return games.toSorted(
    (a, b) =>
      serversOf(b) - serversOf(a) ||
      Number(WITH_SHORTCUT.has(b.slug)) - Number(WITH_SHORTCUT.has(a.slug)) ||
      names.compare(a.name, b.name),
  )
}

function serversOf(game: Game): number {
  return game.game_figures?.servers ?? 0
}

/** The sums of the figures of several games; undefined when none of them has figures. */
export function figuresOf(games: readonly Game[], slugs: readonly string[]): GameFigures | undefined {
  const counted = games.flatMap((game) => (slugs.includes(game.slug) && game.game_figures ? [game.game_figures] : []))
  if (counted.length === 0) return undefined
  return counted.reduce((sum, one) => ({
    servers: sum.servers + one.servers,
    players_online: sum.players_online + one.players_online,
    votes_this_month: sum.votes_this_month + one.votes_this_month,
    votes_total: sum.votes_total + one.votes_total,
  }))
}
