import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { CompetitiveBanner } from './competitive-banner'

const EVENT = {
  id: 'e',
  name: 'Coupe de novembre',
  description: null,
  start_date: '2026-11-20T00:00:00Z',
  end_date: '2026-11-23T12:00:00Z',
  is_active: true,
  is_finished: false,
  is_success: null,
  total_votes: null,
  target_votes: 1000,
  winner_count: 3,
  prestige_days: 7,
}
const leader = (place: number) => ({
  server_id: `s${place}`,
  votes_count: 100 - place,
  prize_days: null,
  name: `Serveur ${place}`,
  slug: `serveur-${place}`,
  logo_image_url: null,
})

function answerWith(events: object[], leaders: object[] = []): void {
  answers({ competitive_events: events.map((event) => ({ ...event, leaders })) })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('shows the running event with its six leaders', async () => {
  answerWith([EVENT], [1, 2, 3, 4, 5, 6, 7, 8].map(leader))
  await renderPage(<CompetitiveBanner ready />)
  const banner = await screen.findByRole('region', { name: /Coupe de novembre/ })
  expect(within(banner).getByText('En cours')).toBeTruthy()
  expect(within(banner).getByText('Se termine dans 2 jours')).toBeTruthy()
  expect(within(banner).getByText('3 gagnants, 7 jours de Prestige chacun')).toBeTruthy()
  const progress = within(banner).getByRole('progressbar')
  expect([progress.getAttribute('value'), progress.getAttribute('max')]).toEqual(['764', '1000'])
  expect(within(banner).getAllByRole('listitem')).toHaveLength(6)
  expect(within(banner).getByRole('link', { name: 'Voir le classement' }).getAttribute('href')).toBe(
    '/?sort=competitive',
  )
  expect(within(banner).getByRole('link', { name: 'Coupe de novembre' }).getAttribute('href')).toBe('/evenement/e')
})

it('announces the next event without a ranking', async () => {
  answerWith([{ ...EVENT, start_date: '2026-11-22T12:00:00Z' }])
  await renderPage(<CompetitiveBanner ready />, { language: 'es' })
  expect(await screen.findByText('Muy pronto')).toBeTruthy()
  expect(screen.getByText('Empieza en 1 día')).toBeTruthy()
  expect(screen.queryByRole('progressbar')).toBeNull()
})

it('shows a missed target after the end', async () => {
  answerWith([{ ...EVENT, end_date: '2026-11-21T11:55:00Z' }], [leader(1)])
  await renderPage(<CompetitiveBanner ready />)
  expect(await screen.findByText('Terminé, objectif manqué')).toBeTruthy()
})

it('finished event shows the stored result and winners', async () => {
  const ended = { ...EVENT, end_date: '2026-11-21T11:55:00Z', is_finished: true, is_success: true, total_votes: 1200 }
  answerWith([ended], [{ ...leader(2), prize_days: 7 }])
  await renderPage(<CompetitiveBanner ready />)
  expect(await screen.findByText('Terminé, objectif atteint')).toBeTruthy()
  expect(screen.getByRole('progressbar', { name: /Votes.: 1.200 sur 1.000/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: /^Serveur 2, 98 votes, gagne 7.jours de Prestige$/ })).toBeTruthy()
})
