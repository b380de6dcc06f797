import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { CompetitionPage } from './competition-page'

const EVENT = {
  id: 'e',
  name: 'Coupe de novembre',
  description: 'Dix jours, un classement.',
  start_date: '2026-11-20T11:00:00Z',
  end_date: '2026-11-30T17:30:00Z',
  is_finished: false,
  is_success: null,
  finished_at: null,
  finished_by: null,
  total_votes: null,
  target_votes: 1000,
  winner_count: 2,
  prestige_days: 7,
  game_ids: ['g1'],
}
const GAMES = [
  { id: 'g1', name: 'Rust' },
  { id: 'g2', name: 'DayZ' },
]
const standing = (place: number, more: object = {}) => ({
  server_id: `s${place}`,
  place,
  votes_count: 700 - place * 100,
  prize_days: null,
  name: `Tom &amp; Co ${place}`,
  slug: `serveur-${place}`,
  logo_image_url: null,
  game_name: 'Rust',
  ...more,
})

const show = (event: object | null, standings: object[] = [], days: object[] = []) => {
  answers({
    competitive_events: event === null ? [] : [event],
    games: GAMES,
    competitive_event_standings: standings,
    competitive_event_places: days,
  })
  return renderPage(<CompetitionPage id="e" />)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('shows dates, games, prizes and vote progress', async () => {
  await show(EVENT, [standing(1), standing(2)])
  expect(await screen.findByRole('heading', { level: 1, name: 'Coupe de novembre' })).toBeTruthy()
  expect(screen.getByText('20 novembre 2026 à 12:00')).toBeTruthy()
  expect(screen.getByText('30 novembre 2026 à 18:30')).toBeTruthy()
  expect(screen.getByText('Rust', { selector: 'dd' })).toBeTruthy()
  expect(screen.getByText('7 jours de Prestige pour chacun des 2 premiers')).toBeTruthy()
  const progress = screen.getByRole('progressbar')
  // A value above the target fills the bar.
  expect([progress.getAttribute('value'), progress.getAttribute('max')]).toEqual(['1000', '1000'])
  expect(progress.getAttribute('aria-label')).toMatch(/^Votes.: 1.100 sur 1.000$/)
  const rows = screen.getAllByRole('link', { name: /^Tom & Co/ })
  expect(rows.map((row) => row.getAttribute('href'))).toEqual(['/serveur/serveur-1', '/serveur/serveur-2'])
  expect(screen.queryByText('Résultat')).toBeNull()
})

it('finished event shows total, winners and closure', async () => {
  const over = { ...EVENT, is_finished: true, is_success: true, total_votes: 1234, finished_by: 'job' }
  // The second server has been hidden since.
  await show(over, [standing(1, { prize_days: 7 }), standing(3)])
  expect(await screen.findByText('Objectif atteint')).toBeTruthy()
  expect(screen.getByText(/réunis par les dix premiers.: 1.234, pour un objectif de 1.000/)).toBeTruthy()
  const winners = within(screen.getByRole('list', { name: 'Gagnants' }))
  expect(winners.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^1\. Tom & Co 1\u00a0: 7.jours de Prestige$/),
  ])
  expect(screen.getByText('Clos automatiquement.')).toBeTruthy()
  expect(screen.getByText('Place 3')).toBeTruthy()
})

it('ended event shows that prizes are pending', async () => {
  await show({ ...EVENT, end_date: '2026-11-25T11:00:00Z' }, [standing(1)])
  expect(await screen.findByText('Objectif manqué')).toBeTruthy()
  expect(screen.getByText(/^Nous attribuerons les récompenses/)).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Gagnants' })).toBeNull()
})

it('shows daily places and the leaders’ vote chart', async () => {
  const days = [1, 2, 3, 4, 5].map((place) => ({ day: '2026-11-20', server_id: `s${place}`, place, votes_count: 9 }))
  await show(
    EVENT,
    [1, 2, 3, 4, 5].map((place) => standing(place)),
    days,
  )
  const table = within(await screen.findByRole('table', { name: 'Places des dix premiers, jour après jour' }))
  expect(table.getAllByRole('rowheader')).toHaveLength(5)
  const chart = within(screen.getByRole('table', { name: 'Votes des premiers, jour après jour' }))
  expect(chart.getAllByRole('columnheader').length).toBeLessThanOrEqual(5)
})

it('shows ten servers until expanded', async () => {
  await show(
    EVENT,
    Array.from({ length: 12 }, (_, index) => standing(index + 1)),
  )
  expect(await screen.findAllByRole('link', { name: /^Tom & Co/ })).toHaveLength(10)
  fireEvent.click(screen.getByRole('button', { name: 'Tout afficher (12)' }))
  expect(screen.getAllByRole('link', { name: /^Tom & Co/ })).toHaveLength(12)
  expect(screen.queryByRole('button', { name: /^Tout afficher/ })).toBeNull()
})

it('says that there is no such event', async () => {
  await show(null)
  expect(await screen.findByText('Cet événement n’existe pas ou n’est plus annoncé')).toBeTruthy()
})
