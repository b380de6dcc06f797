import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { writeLastGame } from '@/entities/game/last-game'
import { closeVoteDialog, useVoteDialog } from '@/entities/vote/dialog'
import { keepNextVote } from '@/entities/vote/state'
import { rememberVoted } from '@/entities/vote/voted-servers'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { VoteShelf } from './vote-shelf'

const id = (n: number) => `a9d2b8de-0000-4000-8000-00000000000${n}`
const row = (n: number, name: string) => ({ id: id(n), name, logo_image_url: null, monthly_votes: n, games: null })
const GAMES = [{ slug: 'rust', page_slug: 'rust', name: 'Rust', logo_url: null }]

function Dialog() {
  return <output>{useVoteDialog()?.name}</output>
}

const show = () =>
  renderPage(
    <>
      <VoteShelf games={GAMES} />
      <Dialog />
    </>,
  )

beforeEach(() => {
  localStorage.clear()
  answers({ servers_public: [row(1, 'Astra'), row(2, 'Boreal'), row(3, 'Cen')] })
})
afterEach(() => {
  act(closeVoteDialog)
  cleanup()
  vi.unstubAllGlobals()
})

it('sorts servers by readiness, then wait', async () => {
  for (const n of [1, 2, 3]) rememberVoted(id(n))
  keepNextVote(id(3), Date.now() + 7_000_000)
  keepNextVote(id(2), Date.now() + 60_000)
  await show()
  const names = (await screen.findAllByRole('listitem')).map((item) => item.textContent)
  expect(names).toEqual([
    expect.stringMatching(/^.?AstraVoter/),
    expect.stringMatching(/Boreal(01:00|00:5\d)/),
    expect.stringMatching(/Cen1:56:\d\d/),
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Voter pour Astra' }))
  expect(screen.getByRole('status').textContent).toBe('Astra')
})

it('goes through several that are ready', async () => {
  for (const n of [1, 2]) rememberVoted(id(n))
  await show()
  await userEvent.click(await screen.findByRole('button', { name: 'Voter pour 2 serveurs' }))
  expect(screen.getByRole('status').textContent).toBe('Boreal')
})

it('links to the last chosen game', async () => {
  writeLastGame('rust')
  await show()
  expect(screen.getByRole('link', { name: 'Votre jeu\u00a0: Rust' }).getAttribute('href')).toBe('/game/rust')
})

it('shows ready votes in a hidden tab title', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
  document.title = 'Palmarès'
  rememberVoted(id(1))
  rememberVoted(id(2))
  keepNextVote(id(1), Date.now() + 60_000)
  await show()
  await screen.findByRole('button', { name: /Voter pour Astra, de nouveau possible/ })
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  await act(() => vi.advanceTimersByTimeAsync(61_000))
  expect(document.title).toBe('Votre vote pour Astra est prêt')
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(document.title).toBe('Palmarès')
  vi.useRealTimers()
  hidden.mockRestore()
})
