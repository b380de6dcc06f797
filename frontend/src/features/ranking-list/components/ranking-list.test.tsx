import { act, renderHook, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { closePrestigeDialog, usePrestigeDialog } from '@/entities/prestige/dialog'
import { answers, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut, tokenAnswer } from '@/testing/sign-in'
import { RankingList } from './ranking-list'

const user = userEvent.setup()
const ask = vi.fn<(requestsFor: ApiRequest) => Response | Promise<Response>>()

const GAME = { id: 'g', name: 'Rust', slug: 'rust', page_slug: 'rust', logo_url: null, nickname_pattern: null }
const server = (place: number, more: object = {}) => ({
  id: `s${place}`,
  slug: `serveur-${place}`,
  name: `Tom &amp; Co ${place}`,
  description: 'Un **vrai** serveur.',
  ip_address: 'play.tom.example',
  tags: ['PvP', 'Survie', 'RP'],
  logo_image_url: null,
  banner_image_url: null,
  custom_color: null,
  language: 'fr',
  owner_id: null,
  is_prestige: false,
  online_players: 12,
  max_players: 100,
  is_online: true,
  monthly_votes: 1234,
  rank: place,
  game_rank: place,
  games: GAME,
  ...more,
})

function answerList(rows: object[], count = rows.length): void {
  ask.mockImplementation((one) => {
    if (one.name === 'servers_public') return Response.json(rows, { headers: { 'content-range': `0-24/${count}` } })
    return Response.json(one.name === 'game_figures' ? [{ servers: count, promoted: 0 }] : [])
  })
}

function requestsFor(table: string): ApiRequest[] {
  return ask.mock.calls.map(([one]) => one).filter((one) => one.name === table)
}

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="address">{pathname + search}</output>
}

async function show(path = '/', games: readonly string[] = []) {
  await renderPage(
    <>
      <RankingList games={games} />
      <Address />
    </>,
    { path },
  )
}

beforeEach(() => {
  ask.mockReset()
  answers(ask)
})
afterEach(() => vi.unstubAllGlobals())

it('expands the hidden tags of a card', async () => {
  answerList([server(2)])
  await show()
  const card = await screen.findByRole('article')
  const [more] = within(card).getAllByRole('button', { name: /1 autre tag\s: RP/ })
  expect(more!.getAttribute('aria-expanded')).toBe('false')
  expect(within(card).queryByText('RP')).toBeNull()
  await user.click(more!)
  expect(within(card).getByText('RP')).toBeTruthy()
  expect(more!.getAttribute('aria-expanded')).toBe('true')
})

it('shows a loading state while servers load', async () => {
  ask.mockImplementation(() => new Promise<Response>(() => {}))
  await show()
  expect(screen.getByText('Chargement du classement…')).toBeTruthy()
  await vi.waitFor(() => expect(requestsFor('servers_public')).toHaveLength(1))
  expect(requestsFor('server_tags')).toHaveLength(0)
})

it('draws a card with everything it knows', async () => {
  answerList([server(2, { is_prestige: true })])
  await show()
  const card = await screen.findByRole('article')
  expect(within(card).getByRole('link', { name: 'Tom & Co 2' }).getAttribute('href')).toBe('/serveur/serveur-2')
  expect(within(card).getByRole('link', { name: 'Rust' }).getAttribute('href')).toBe('/game/rust')
  expect(within(card).getByText('Place 2')).toBeTruthy()
  expect(within(card).getByText('vrai').tagName).toBe('STRONG')
  expect(within(card).getByText(/Sponsorisé/)).toBeTruthy()
  expect(within(card).getByText('12 / 100 joueurs')).toBeTruthy()
  expect(within(card).getByText(/1 autre tag\s: RP/)).toBeTruthy()
  expect(within(card).getByRole('button', { name: 'Voter pour Tom & Co 2' })).toBeTruthy()
  expect(screen.getByText('1 serveur', { selector: 'p' })).toBeTruthy()
})

it('links owners to integrations of their servers', async () => {
  ask.mockImplementation(() => tokenAnswer())
  await signInAsAda()
  answerList([server(1, { owner_id: ADA.id }), server(2, { owner_id: 'somebody' })])
  await show()
  const link = await screen.findByRole('link', { name: 'API et intégrations : Tom & Co 1' })
  expect(link.getAttribute('href')).toBe('/edit-server/s1/integrations')
  expect(screen.getAllByRole('link', { name: /^API et intégrations/ })).toHaveLength(1)
  ask.mockImplementation(() => new Response(null, { status: 204 }))
  await signOut()
})

it('offers Prestige only for owned servers', async () => {
  ask.mockImplementation(() => tokenAnswer())
  await signInAsAda()
  answerList([server(1, { owner_id: ADA.id }), server(2, { owner_id: ADA.id, is_prestige: true }), server(3)])
  await show()
  const begin = await screen.findByRole('button', { name: 'Passer Tom & Co 1 en Prestige' })
  expect(screen.getByRole('button', { name: 'Prolonger Prestige pour Tom & Co 2' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Passer Tom & Co 3 en Prestige' })).toBeNull()
  await user.click(begin)
  const dialog = renderHook(() => usePrestigeDialog())
  expect(dialog.result.current).toEqual({ id: 's1', name: 'Tom & Co 1' })
  act(closePrestigeDialog)
  ask.mockImplementation(() => new Response(null, { status: 204 }))
  await signOut()
})

it('asks for what the address says', async () => {
  answerList([server(1)])
  await show('/game/rust?sort=votes&prestige=regular-only&tag=PvP&tag=Jeu+libre%2C+PvE&page=2', ['rust'])
  await screen.findByRole('article')
  const query = requestsFor('servers_public')[0]!.query
  expect(query.get('game_slug')).toBe('eq.rust')
  expect(query.get('tags')).toBe('ov.{PvP,"Jeu libre, PvE"}')
  expect(query.get('is_prestige')).toBe('eq.false')
  expect(query.get('order')).toBe('is_prestige.desc,monthly_votes.desc,id.asc')
  expect([query.get('offset'), query.get('limit')]).toEqual(['25', '25'])
})

it('writes filters into URL and resets page', async () => {
  answerList([server(1)], 90)
  await show('/?page=3')
  await screen.findByRole('article')
  await user.click(screen.getByRole('button', { name: 'Plus récents' }))
  expect(screen.getByLabelText('address').textContent).toBe('/?sort=recent')
  expect(screen.getByRole('button', { name: 'Plus récents' }).getAttribute('aria-pressed')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Filtres' }))
  await user.click(await screen.findByRole('radio', { name: 'Sponsorisés' }))
  expect(screen.getByLabelText('address').textContent).toBe('/?sort=recent&prestige=prestige-only')
  expect(screen.getByRole('radio', { name: 'Sponsorisés', checked: true })).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Español' }))
  expect(screen.getByLabelText('address').textContent).toBe('/?sort=recent&prestige=prestige-only&language=es')
  expect(requestsFor('servers_public').at(-1)!.query.get('language')).toBe('eq.es')
  await user.click(screen.getByRole('button', { name: 'Retirer le filtre Español' }))
  expect(screen.getByLabelText('address').textContent).toBe('/?sort=recent&prestige=prestige-only')
})

it('changes the order through the compact menu', async () => {
  answerList([server(1)])
  await show()
  await screen.findByRole('article')
  await user.click(screen.getByRole('button', { name: /^Trier par.*Par défaut$/ }))
  await user.click(await screen.findByRole('radio', { name: 'Plus cliqués' }))
  expect(screen.getByLabelText('address').textContent).toBe('/?sort=clicks')
  expect(screen.getByRole('button', { name: /^Trier par.*Plus cliqués$/ })).toBeTruthy()
})

it('names the language a server is presented in', async () => {
  answerList([server(1, { language: 'es' }), server(2, { language: null })])
  await show()
  const [spanish, unknown] = await screen.findAllByRole('article')
  expect(within(spanish!).getByText('Langue : Español').parentElement?.textContent).toContain('ES')
  expect(within(unknown!).queryByText(/^Langue/)).toBeNull()
})

it('lists each server once with top three first', async () => {
  const promoted = (place: number) => server(place, { is_prestige: true, monthly_votes: 1000 - place })
  const regular = (place: number) => server(place, { monthly_votes: 1000 - place })
  answerList([promoted(5), promoted(2), promoted(6), regular(1), regular(3), regular(4), regular(7)])
  await show()
  const first = await screen.findByRole('list', { name: 'Les trois premiers' })
  const named = (cards: HTMLElement[]) => cards.map((card) => within(card).getByRole('heading').textContent)
  expect(named(within(first).getAllByRole('article'))).toEqual([1, 2, 3].map((place) => `Tom & Co ${place}`))
  expect(named(screen.getAllByRole('article'))).toEqual([1, 2, 3, 4, 5, 6, 7].map((place) => `Tom & Co ${place}`))
  const row = screen.getByRole('list', { name: 'Sponsorisé' })
  expect(
    within(row)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/serveur/serveur-5', '/serveur/serveur-6'])
})

it('inserts promoted servers into later pages by votes', async () => {
  const page = Array.from({ length: 25 }, (_, index) => server(index + 26, { monthly_votes: 974 - index }))
  answerList([], 90)
  ask.mockImplementation(({ name, query }) => {
    if (name === 'game_figures') return Response.json([{ servers: 90, promoted: 2 }])
    if (name !== 'servers_public') return Response.json([])
    if (query.get('is_prestige') === 'eq.true')
      return Response.json([server(99, { is_prestige: true, monthly_votes: 970 })])
    return Response.json(query.get('limit') === '1' ? [server(25, { monthly_votes: 975 })] : page)
  })
  await show('/?page=2')
  const cards = await screen.findAllByRole('article')
  expect(cards).toHaveLength(26)
  expect(within(cards[5]!).getByRole('heading').textContent).toBe('Tom & Co 99')
  const placed = requestsFor('servers_public').find(({ query }) => query.get('is_prestige') === 'eq.true')!.query
  expect(placed.getAll('monthly_votes')).toEqual(['lte.975', 'gte.950'])
  expect(placed.get('order')).toBe('monthly_votes.desc,id.asc')
})

it('uses stored counts for single tags only', async () => {
  ask.mockImplementation((one) => {
    if (one.name === 'servers_public')
      return Response.json(
        Array.from({ length: 25 }, (_, place) => server(place)),
        { headers: { 'content-range': '0-24/44' } },
      )
    return Response.json(one.name === 'game_tag_figures' ? [{ servers: 60, promoted: 4 }] : [])
  })
  await show('/game/rust?tag=PvP&prestige=regular-only', ['rust'])
  expect(await screen.findByText('56 serveurs', { selector: 'p' })).toBeTruthy()
  const query = requestsFor('game_tag_figures')[0]!.query
  expect([query.get('tag'), query.get('games.slug')]).toEqual(['eq.PvP', 'in.(rust)'])
  await show('/game/rust?tag=PvP&tag=RP', ['rust'])
  expect(await screen.findByText('44 serveurs', { selector: 'p' })).toBeTruthy()
  expect(requestsFor('game_tag_figures')).toHaveLength(1)
})

it('asks for pages far behind from the end', async () => {
  answerList([server(5000), server(4999)], 5002)
  await show('/?page=201')
  const cards = await screen.findAllByRole('article')
  expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(['Tom & Co 4999', 'Tom & Co 5000'])
  const query = requestsFor('servers_public')[0]!.query
  expect(query.get('order')).toBe('is_prestige.asc,promoted_order.desc.nullsfirst,monthly_votes.asc,id.desc')
  expect([query.get('offset'), query.get('limit')]).toEqual(['0', '2'])
})

it('links its pages', async () => {
  const page = Array.from({ length: 25 }, (_, index) => server(index + 26))
  answerList(page, 90)
  await show('/?sort=votes&page=2')
  await screen.findAllByRole('article')
  const pages = screen.getByRole('navigation', { name: 'Pages du classement' })
  const links = within(pages).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/?sort=votes',
    '/?sort=votes',
    '/?sort=votes&page=2',
    '/?sort=votes&page=3',
    '/?sort=votes&page=4',
    '/?sort=votes&page=3',
  ])
  expect(within(pages).getByRole('link', { name: 'Page 2' }).getAttribute('aria-current')).toBe('page')
})

it('computes the total from a partial last page', async () => {
  answerList([server(26), server(27)], 90)
  await show('/?sort=votes&page=2')
  await screen.findAllByRole('article')
  expect(screen.getByText('27 serveurs', { selector: 'p' })).toBeTruthy()
})

it('derives the regular count from stored figures', async () => {
  const page = Array.from({ length: 25 }, (_, index) => server(index + 1))
  ask.mockImplementation((one) => {
    if (one.name === 'servers_public') return Response.json(page)
    return Response.json(
      one.name === 'game_figures'
        ? [
            { servers: 90, promoted: 4 },
            { servers: 8, promoted: 2 },
          ]
        : [],
    )
  })
  await show('/?prestige=regular-only')
  await screen.findAllByRole('article')
  expect(screen.getByText('92 serveurs', { selector: 'p' })).toBeTruthy()
})

it('shows different empty states with and without filters', async () => {
  answerList([])
  await show('/?tag=PvP')
  expect(await screen.findByRole('heading', { name: 'Aucun serveur avec ces filtres' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Retirer les filtres' }))
  expect(await screen.findByRole('heading', { name: 'Aucun serveur pour le moment' })).toBeTruthy()
  expect(screen.getByLabelText('address').textContent).toBe('/')
})

it('says when it failed and tries again', async () => {
  ask.mockImplementation(() => Response.json({ code: 'XX000', message: 'boom' }, { status: 500 }))
  await show()
  expect(await screen.findByRole('alert')).toBeTruthy()
  answerList([server(1)])
  await user.click(screen.getByRole('button', { name: 'Réessayer' }))
  expect(await screen.findByRole('article')).toBeTruthy()
})

it('falls back to default ranking without an event', async () => {
  answerList([server(1)])
  await show('/?sort=competitive')
  expect(await screen.findByRole('article')).toBeTruthy()
  expect(screen.getByLabelText('address').textContent).toBe('/')
  expect(currentToast()?.title).toBe('Aucun événement en cours')
})

it('ranks event servers by event votes', async () => {
  ask.mockImplementation((one) => {
    if (one.name === 'competitive_events') return Response.json([{ id: 'e' }])
    if (one.name === 'competitive_event_standings')
      return Response.json([
        { server_id: 's7', place: 1, votes_count: 90 },
        { server_id: 's3', place: 2, votes_count: 40 },
      ])
    return Response.json(one.name === 'servers_public' ? [server(3), server(7)] : [])
  })
  await show('/?sort=competitive')
  const cards = await screen.findAllByRole('article')
  expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(['Tom & Co 7', 'Tom & Co 3'])
  expect(within(cards[0]!).getByText('90')).toBeTruthy()
  expect(cards[0]!.querySelector('[class*="gold"]')).toBeNull()
})

it('applies filters and pagination to the event', async () => {
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1)
  ask.mockImplementation((one) => {
    if (one.name === 'competitive_events') return Response.json([{ id: 'e', name: 'Coupe' }])
    if (one.name === 'competitive_event_standings')
      return Response.json(numbers.map((place) => ({ server_id: `s${place}`, place, votes_count: 100 - place })))
    // The fourth belongs to another game.
    return Response.json(one.name === 'servers_public' ? numbers.filter((n) => n !== 4).map((n) => server(n)) : [])
  })
  await show('/?sort=competitive&tag=pvp&prestige=regular-only&page=2', ['rust'])
  const cards = await screen.findAllByRole('article')
  expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(
    [27, 28, 29, 30].map((n) => `Tom & Co ${n}`),
  )
  // Places are those among all participants.
  expect(within(cards[0]!).getByText('27')).toBeTruthy()
  const query = requestsFor('servers_public')[0]!.query.toString()
  for (const part of ['game_slug', 'rust', 'tags', 'pvp', 'is_prestige']) expect(query).toContain(part)
  const rules = await screen.findByRole('link', { name: /Coupe/ })
  expect(rules.getAttribute('href')).toBe('/evenement/e')
})

it('shows place changes since yesterday', async () => {
  answerList([
    server(1, { rank: 3, game_rank: 1, day_rank: 1203, day_game_rank: 1 }),
    server(2, { rank: 4, game_rank: 2, day_rank: 3, day_game_rank: 1 }),
    server(3, { rank: 5, game_rank: 3, day_rank: null, day_game_rank: null }),
  ])
  await show()
  const [risen, fallen, fresh] = await screen.findAllByRole('article')
  expect(within(risen!).getByRole('img', { name: /^1.200 places gagnées depuis hier$/ }).textContent).toMatch(
    /▲ 1.200$/,
  )
  expect(within(fallen!).getByRole('img', { name: '1 place perdue depuis hier' }).textContent).toMatch(/▼ 1$/)
  expect(within(fresh!).queryByRole('img', { name: /depuis hier/ })).toBeNull()
})

it('lists rising servers overall or per game', async () => {
  answerList([])
  await show('/?sort=rising')
  expect(await screen.findByText('Personne n’a encore gagné de place aujourd’hui')).toBeTruthy()
  const all = requestsFor('servers_public')[0]!.query
  expect([all.get('rise'), all.get('order')]).toEqual(['gt.0', 'rise.desc,monthly_votes.desc,id.asc'])
  await user.click(screen.getByRole('button', { name: 'Voir le classement' }))
  expect(screen.getByLabelText('address').textContent).toBe('/')
  ask.mockClear()
  await show('/game/rust?sort=rising', ['rust'])
  await vi.waitFor(() => expect(requestsFor('servers_public')).toHaveLength(1))
  const one = requestsFor('servers_public')[0]!.query
  expect([one.get('game_rise'), one.get('order')]).toEqual(['gt.0', 'game_rise.desc,monthly_votes.desc,id.asc'])
})
