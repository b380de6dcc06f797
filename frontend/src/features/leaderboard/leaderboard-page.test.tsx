import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, persona, refusal, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { signInAsAda, signOut } from '@/testing/sign-in'
import { LeaderboardPage } from './leaderboard-page'

const leader = (rank: number, name: string, votes: number, isGuest = false, role: string | null = null) => ({
  rank,
  voter_name: name,
  votes_count: votes,
  is_guest: isGuest,
  role,
})
const LEADERS = [
  leader(1, 'Zed', 90, false, 'founder'),
  leader(2, 'Mia', 41, true),
  leader(3, 'Ada', 12),
  leader(4, 'Bo', 3),
]

beforeEach(() => localStorage.clear())
afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The page as the signed-in user Ada sees it, with the given place. */
async function openAsAda(place: Answer, path = '/leaderboard') {
  const known = answers({ ...persona('player'), 'rpc/get_leaderboard': LEADERS, 'rpc/get_my_place': place })
  await signInAsAda()
  await renderPage(<LeaderboardPage />, { path })
  return known
}

it('ranks voters and labels guests and founders', async () => {
  const { requests } = answers({ 'rpc/get_leaderboard': LEADERS })
  await renderPage(<LeaderboardPage />, { path: '/leaderboard?period=week' })
  const rows = await screen.findAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/N° 1.*Zed.*Fondateur.*90 votes/),
    expect.stringMatching(/N° 2.*Mia.*Invité.*41 votes/),
    expect.stringMatching(/N° 3.*Ada.*12 votes/),
    expect.stringMatching(/N° 4.*Bo.*3 votes/),
  ])
  expect(requests[0]?.query.get('p_period')).toBe('week')
  expect(screen.getByRole('link', { name: 'Cette semaine', current: 'page' })).toBeTruthy()
  // A guest has no place, and is invited to create an account.
  expect(screen.getByRole('button', { name: 'Créer un compte' })).toBeTruthy()
})

it('marks the nickname this browser votes with', async () => {
  localStorage.setItem('palmares.nickname', 'mia')
  answers({ 'rpc/get_leaderboard': LEADERS })
  await renderPage(<LeaderboardPage />)
  const marked = (await screen.findByText('Votre pseudo')).closest('li')
  expect(marked?.textContent).toContain('Mia')
})

it('shows the user’s place and the gap ahead', async () => {
  await openAsAda({ rank: 3, voter_name: 'Ada', votes_count: 12, next_name: 'Mia', next_votes: 41 })
  const panel = await screen.findByRole('region', { name: 'Votre place' })
  expect(await within(panel).findByText('n° 3')).toBeTruthy()
  expect(within(panel).getByText('Encore 30 votes pour passer devant Mia.')).toBeTruthy()
  expect((await screen.findByText('Vous')).closest('li')?.textContent).toContain('Ada')
  await signOut()
})

it('shows the user’s row below the list', async () => {
  await openAsAda({ rank: 612, voter_name: 'Ada', votes_count: 2, next_name: 'Bo', next_votes: 2 })
  const below = await screen.findByRole('group', { name: 'Votre place' })
  expect(below.textContent).toMatch(/N° 612.*Ada.*Vous.*2 votes/)
  expect(screen.getByText('Encore 1 vote pour passer devant Bo.')).toBeTruthy()
  await signOut()
})

it('shows a capped place beyond 10000', async () => {
  await openAsAda({ rank: null, voter_name: 'Ada', votes_count: 1, next_name: 'Bo', next_votes: 1 })
  expect((await screen.findByRole('group', { name: 'Votre place' })).textContent).toContain('10 000+')
  await signOut()
})

it('prompts users who have not voted', async () => {
  await openAsAda([], '/leaderboard?period=day')
  expect(await screen.findByText(/Vous n’avez pas encore voté aujourd’hui/)).toBeTruthy()
  await signOut()
})

it('shows the empty state or load error', async () => {
  answers({ 'rpc/get_leaderboard': [] })
  await renderPage(<LeaderboardPage />)
  expect(await screen.findByRole('heading', { name: 'Personne n’a encore voté ce mois-ci' })).toBeTruthy()
  cleanup()
  answers({ 'rpc/get_leaderboard': refusal('42501', 403) })
  await renderPage(<LeaderboardPage />)
  expect(await screen.findByRole('heading', { name: 'Impossible de charger les votants' })).toBeTruthy()
})
