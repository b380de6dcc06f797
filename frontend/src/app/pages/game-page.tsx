import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { gamesQuery } from '@/features/games/api/games'
import { HomePage } from './home-page'
import { MissingPage } from './missing-page'

/** The home page with one game chosen by its address. */
export function GamePage() {
  const { game } = useParams()
  const games = useMemo(() => (game ? [game] : []), [game])
  const known = useQuery(gamesQuery())
  if (known.data && !known.data.some((candidate) => candidate.slug === game)) return <MissingPage />
  return <HomePage games={games} />
}
