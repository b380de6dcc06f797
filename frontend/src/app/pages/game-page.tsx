import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { Spinner } from '@/components/ui/spinner'
import { gamesQuery, type Game } from '@/entities/game/queries'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { HomePage } from './home-page'
import { MissingPage } from './missing-page'

export { preloadRows } from './list-rows'

/**
 * The home page with one game, which the path names, or the query string where several games share
 * a page. A game that shares a page redirects there from an address of its own.
 */
export function GamePage() {
  const language = useLanguage()
  const { game: slug = '' } = useParams()
  const gameParameter = useSearchParams()[0].get('game')
  const known = useQuery(gamesQuery())
  const game = known.data && gameAt(known.data, slug, gameParameter)
  const currentSlug = game?.slug ?? slug
  const games = useMemo(() => [currentSlug], [currentSlug])
  if (known.data && !game) return <MissingPage />
  if (game && game.page_slug !== slug) return <Navigate to={paths.gameOf(language, game)} replace />
  if (gameParameter !== null && known.isPending) return <Spinner />
  return <HomePage games={games} canonical={game && paths.gameOf(language, game)} />
}

/** The requested game if it shares this page, else the game of the page. */
function gameAt(games: Game[], slug: string, gameParameter: string | null): Game | undefined {
  return (
    games.find((game) => game.slug === gameParameter && game.page_slug === slug) ??
    games.find((game) => game.slug === slug)
  )
}
