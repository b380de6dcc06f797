import { useMemo } from 'react'
import { useParams } from 'react-router'
import { HomePage } from './home-page'

/** The home page with one game chosen by its address. */
export function GamePage() {
  const { game } = useParams()
  const games = useMemo(() => (game ? [game] : []), [game])
  return <HomePage games={games} />
}
