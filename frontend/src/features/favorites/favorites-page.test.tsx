import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, persona, refusal, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import { FavoritesPage } from './favorites-page'

const user = userEvent.setup()
const HOUR = 3_600_000
const id = (n: number) => `a9d2b8de-0000-4000-8000-00000000000${n}`
const server = (n: number, name: string, rank: number, votes: number) => ({
  id: id(n),
  slug: name.toLowerCase(),
  name,
  logo_image_url: null,
  monthly_votes: votes,
  game_rank: rank,
  is_online: true,
  online_players: 3,
  max_players: 500,
  status_checked_at: null,
  games: { name: 'Dofus', slug: 'dofus', page_slug: 'dofus', nickname_pattern: null },
})
const event = (n: number, title: string, hours: number) => ({
  id: `e${title}`,
  server_id: id(n),
  title_fr: title,
  title_en: null,
  title_es: null,
  start_date: new Date(Date.now() - HOUR).toISOString(),
  end_date: new Date(Date.now() + 24 * HOUR).toISOString(),
  created_at: new Date(Date.now() - hours * HOUR).toISOString(),
  event_types: null,
})

const LIST = `palmares.favorites.${ADA.id}`
const SEEN = `palmares.favorites-seen.${ADA.id}`

async function open(known: Record<string, Answer>, ids: readonly string[]) {
  localStorage.setItem(LIST, JSON.stringify(ids))
  const requests = answers({ ...persona('player'), server_events: [], ...known })
  await signInAsAda()
  await renderPage(<FavoritesPage />)
  return requests
}

beforeEach(() => localStorage.clear())
afterEach(async () => {
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

it('first visit stores standings, newest favorite first', async () => {
  await open({ servers_public: [server(1, 'Astra', 4, 50), server(2, 'Boreal', 2, 90)] }, [id(1), id(2)])
  const cards = await screen.findAllByRole('article')
  expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(['Boreal', 'Astra'])
  expect(screen.getByText(/À votre prochaine visite/)).toBeTruthy()
  const stored = JSON.parse(localStorage.getItem(SEEN) ?? '{}')
  expect(stored.last).toBeNull()
  expect(stored.current.standings).toEqual({ [id(1)]: { place: 4, votes: 50 }, [id(2)]: { place: 2, votes: 90 } })
})

it('shows changes since the last visit first', async () => {
  const current = {
    at: Date.now() - 3 * HOUR,
    standings: { [id(1)]: { place: 7, votes: 20 }, [id(2)]: { place: 1, votes: 90 }, [id(3)]: { place: 5, votes: 4 } },
  }
  localStorage.setItem(SEEN, JSON.stringify({ last: null, current }))
  await open(
    {
      servers_public: [server(1, 'Astra', 4, 50), server(2, 'Boreal', 2, 90), server(3, 'Cen', 5, 4)],
      server_events: [event(2, 'Tournoi', 1), event(3, 'Ancien', 9)],
    },
    [id(1), id(2), id(3)],
  )
  expect(await screen.findByText('1 nouvel événement')).toBeTruthy()
  expect(screen.getByText('1 serveur monte')).toBeTruthy()
  expect(screen.getByText('1 serveur descend')).toBeTruthy()
  const cards = screen.getAllByRole('article')
  expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(['Boreal', 'Astra', 'Cen'])
  expect(within(cards[1]!).getByText('3 places gagnées depuis votre dernière visite')).toBeTruthy()
  expect(within(cards[1]!).getByText('+30')).toBeTruthy()
  expect(within(cards[0]!).getByText('1 place perdue depuis votre dernière visite')).toBeTruthy()
  expect(within(cards[0]!).getByText('Nouveau')).toBeTruthy()
  expect(within(cards[2]!).queryByText('Nouveau')).toBeNull()
})

it('removed favorite stays listed and can be restored', async () => {
  await open({ servers_public: [server(1, 'Astra', 4, 50)] }, [id(1), id(9)])
  const heart = await screen.findByRole('button', { name: 'Garder Astra dans les favoris', pressed: true })
  // The page says that a favorite is not listed any more.
  expect(screen.getByText('Un de vos favoris n’est plus dans le classement.')).toBeTruthy()
  await user.click(heart)
  expect(heart.getAttribute('aria-pressed')).toBe('false')
  expect(JSON.parse(localStorage.getItem(LIST) ?? '')).toEqual([id(9)])
  await user.click(heart)
  expect(JSON.parse(localStorage.getItem(LIST) ?? '')).toEqual([id(9), id(1)])
})

it('shows the empty state or load error', async () => {
  await open({}, [])
  expect(await screen.findByRole('heading', { name: 'Aucun favori pour le moment' })).toBeTruthy()
  await signOut()
  cleanup()
  await open({ servers_public: refusal('42501', 403) }, [id(1)])
  expect(await screen.findByRole('heading', { name: 'Impossible de charger vos favoris' })).toBeTruthy()
})
