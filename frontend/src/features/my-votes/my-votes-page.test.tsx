import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, persona, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import { closeVoteDialog, useVoteDialog } from '@/entities/vote/dialog'
import { useVoteRound } from '@/entities/vote/round'
import { MyVotesPage } from './my-votes-page'

const user = userEvent.setup()
const id = (n: number) => `a9d2b8de-0000-4000-8000-00000000000${n}`
const server = (n: number, name: string, minutes: number) => ({
  id: id(n),
  slug: name.toLowerCase(),
  name,
  logo_image_url: null,
  game: 'Dofus',
  nickname_pattern: null,
  monthly_votes: 1200,
  game_rank: n,
  nickname: 'Ada',
  voted_at: new Date(Date.now() + (minutes - 120) * 60_000).toISOString(),
  next_vote_at: new Date(Date.now() + minutes * 60_000).toISOString(),
})
const vote = (n: number, of: number, day: string) => ({
  id: `b9d2b8de-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`,
  server_id: id(of),
  nickname: 'Ada',
  voted_at: `${day}T12:00:${String(59 - n).padStart(2, '0')}.5+00:00`,
})

/** Replaces the dialog: shows its server and the next one of the round. */
function Dialog() {
  const target = useVoteDialog()
  const round = useVoteRound(target?.id ?? '')
  return <output>{target && `${target.name} ${round?.place}/${round?.count} ${round?.next?.name}`}</output>
}

async function open(known: Record<string, Answer>) {
  const api = answers({
    ...persona('player'),
    profiles: { role: 'user', username: 'Ada', servers: [], total_votes: 345 },
    votes: [],
    'rpc/get_my_voted_servers': [],
    'rpc/get_my_place': { rank: 7, voter_name: 'Ada', votes_count: 12, next_name: 'Bo', next_votes: 13 },
    servers_public: [{ id: id(1), slug: 'astra', name: 'Astra &amp; Co', logo_image_url: null }],
    ...known,
  })
  await signInAsAda()
  await renderPage(
    <>
      <MyVotesPage />
      <Dialog />
    </>,
  )
  return api
}

beforeEach(() => localStorage.clear())
afterEach(async () => {
  act(closeVoteDialog)
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

it('lists due servers first and starts a round', async () => {
  await open({
    'rpc/get_my_voted_servers': [server(1, 'Waiting', 30), server(2, 'Ready', -5), server(3, 'Older', -600)],
  })
  const list = within(await screen.findByRole('list', { name: 'Revoter' }))
  expect(list.getAllByRole('link').map((link) => link.textContent)).toEqual(['Ready', 'Older', 'Waiting'])
  // A vote from another device starts the countdown here, too.
  expect(await list.findByText(/^(30:00|29:5\d)$/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Voter pour 2 serveurs' }))
  expect(screen.getByRole('status').textContent).toBe('Ready 1/2 Older')
})

it('shows when the next vote is possible', async () => {
  await open({ 'rpc/get_my_voted_servers': [server(1, 'Later', 90), server(2, 'Soon', 10)] })
  expect((await screen.findByText(/Prochain vote possible/)).textContent).toMatch(/pour Soon dans (10:00|09:5\d)/)
  expect(screen.queryByRole('button', { name: /^Voter pour \d+ serveurs?$/ })).toBeNull()
})

it('shows statistics and an empty state', async () => {
  await open({})
  expect(await screen.findByText('345')).toBeTruthy()
  expect(await screen.findByText('n° 7')).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Pas encore de vote' })).toBeTruthy()
})

it('groups votes by day with cursor pagination', async () => {
  const first = Array.from({ length: 26 }, (_, n) => vote(n, n === 1 ? 2 : 1, '2026-01-02'))
  const { requestsOf } = await open({
    votes: ({ query }) => Response.json(query.has('or') ? [vote(30, 1, '2026-01-01')] : first),
  })
  const day = (await screen.findByRole('heading', { name: 'vendredi 2 janvier 2026' })).parentElement!
  expect(within(day).getAllByRole('listitem')).toHaveLength(25)
  expect(within(day).getAllByText('Astra & Co')).toHaveLength(24)
  expect(within(day).getByText('Serveur retiré du classement')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Afficher plus de votes' }))
  expect(await screen.findByRole('heading', { name: 'jeudi 1er janvier 2026' })).toBeTruthy()
  const [, older] = requestsOf('votes')
  expect(older?.query.get('user_id')).toBe(`eq.${ADA.id}`)
  expect(older?.query.get('voted_at')).toBe('lte.2026-01-02T12:00:35.5+00:00')
  expect(older?.query.get('or')).toBe(`(voted_at.lt."2026-01-02T12:00:35.5+00:00",id.lt.${first[24]?.id})`)
  expect(screen.queryByRole('button', { name: 'Afficher plus de votes' })).toBeNull()
})
