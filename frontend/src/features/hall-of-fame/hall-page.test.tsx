import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Route, Routes } from 'react-router'
import { answers, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { GameHallPage } from './game-hall-page'
import { HallPage } from './hall-page'
import { MonthArchivePage } from './month-archive-page'

const ask = vi.fn<(request: ApiRequest) => Response>()

const RUST = { id: 'r', name: 'Rust', slug: 'rust', page_slug: 'rust', logo_url: null }
const won = (month: string, place: number, name: string, listed = true) => ({
  month,
  place,
  votes: 100 - place,
  server_id: listed ? name : null,
  server_name: name,
  name: listed ? name : null,
  slug: listed ? name.toLowerCase() : null,
  logo_image_url: null,
  games: RUST,
})

beforeEach(() => answers(ask))
afterEach(() => vi.unstubAllGlobals())

it('shows the latest podiums and links earlier months', async () => {
  ask.mockImplementation(({ name, query }) => {
    if (name === 'podium_months') return Response.json([{ month: '2026-10-01' }, { month: '2026-09-01' }])
    const month = query.get('month')!.slice(3)
    return Response.json([
      won(month, 1, month === '2026-10-01' ? 'Octobre' : 'Septembre'),
      won(month, 2, 'Parti', false),
    ])
  })
  await renderPage(<HallPage />, { path: '/pantheon' })
  const card = (await screen.findByRole('heading', { name: 'Rust' })).closest('section')!
  expect(within(card).getByRole('link', { name: 'Octobre' }).getAttribute('href')).toBe('/serveur/octobre')
  // A deleted server is shown by its name.
  expect(within(card).getByText('Parti').tagName).toBe('SPAN')
  expect(screen.getByRole('link', { name: 'Rust' }).getAttribute('href')).toBe('/pantheon/rust')
  await userEvent.setup().click(screen.getByRole('link', { name: 'septembre 2026' }))
  expect(await screen.findByRole('link', { name: 'Septembre' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'octobre 2026' })).toBeTruthy()
})

it('shows an empty state without podiums', async () => {
  ask.mockImplementation(() => Response.json([]))
  await renderPage(<HallPage />, { path: '/pantheon' })
  expect(await screen.findByRole('heading', { name: 'Pas encore de podium' })).toBeTruthy()
})

it('shows a game’s months and its champion', async () => {
  ask.mockImplementation(({ name }) =>
    name === 'games'
      ? Response.json(RUST)
      : Response.json([won('2026-10-01', 1, 'Fort'), won('2026-10-01', 2, 'Autre'), won('2026-09-01', 1, 'Fort')]),
  )
  await renderPage(
    <Routes>
      <Route path="/pantheon/:game" element={<GameHallPage />} />
    </Routes>,
    { path: '/pantheon/rust' },
  )
  expect(await screen.findByRole('heading', { level: 1, name: 'Panthéon Rust' })).toBeTruthy()
  expect(screen.getByText(/Le plus titré\s: 2 fois premier/)).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent)).toEqual([
    'octobre 2026',
    'septembre 2026',
  ])
})

it('archive ranking has pagination and game filter', async () => {
  const place = (at: number) => ({
    rank: at,
    votes: 1000 - at,
    server_id: `s${at}`,
    name: `Serveur ${at}`,
    slug: `serveur-${at}`,
    logo_image_url: null,
    game_name: 'Rust',
    game_slug: 'rust',
  })
  ask.mockImplementation(({ name, query }) => {
    if (name === 'podium_months') return Response.json([{ month: '2026-10-01' }, { month: '2026-09-01' }])
    if (name === 'won_places') return Response.json([won('2026-10-01', 1, 'Fort')])
    expect(query.get('month')).toBe('eq.2026-10-01')
    const first = Number(query.get('offset'))
    const isRust = query.get('game_slug') === 'eq.rust'
    return Response.json(
      isRust ? [place(7)] : Array.from({ length: first === 0 ? 50 : 3 }, (_, at) => place(first + at + 1)),
    )
  })
  const { user } = await renderArchive('/archives/2026-10')
  expect(await screen.findByRole('heading', { level: 1, name: 'Classement octobre 2026' })).toBeTruthy()
  expect((await screen.findByRole('link', { name: 'Serveur 1' })).getAttribute('href')).toBe('/serveur/serveur-1')
  expect(screen.getByRole('link', { name: 'septembre 2026' }).getAttribute('href')).toBe('/archives/2026-09')
  await user.click(screen.getByRole('link', { name: 'Page 2' }))
  expect(await screen.findByRole('link', { name: 'Serveur 51' })).toBeTruthy()
  expect(document.title).toContain('page 2')
  // The places of a game's archive are those in the game.
  await user.click(screen.getByRole('link', { name: 'Rust' }))
  const line = (await screen.findByRole('link', { name: 'Serveur 7' })).closest('li')!
  expect(line.value).toBe(1)
})

it('shows no archive for an unfinished month', async () => {
  ask.mockImplementation(() => Response.json([{ month: '2026-10-01' }]))
  await renderArchive('/archives/2026-11')
  expect(await screen.findByRole('heading', { name: 'Ce mois n’est pas dans les archives' })).toBeTruthy()
})

async function renderArchive(path: string) {
  await renderPage(
    <Routes>
      <Route path="/archives/:month" element={<MonthArchivePage />} />
      <Route path="/archives/:month/:game" element={<MonthArchivePage />} />
    </Routes>,
    { path },
  )
  return { user: userEvent.setup() }
}
