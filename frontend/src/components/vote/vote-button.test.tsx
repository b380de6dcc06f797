import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepNextVote } from '@/entities/vote/state'
import { renderPage } from '@/testing/render-page'
import { VoteButton } from './vote-button'

const TARGET = { id: 'a9d2b8de-0000-4000-8000-000000000001', name: 'Astra &amp; Co', monthlyVotes: 3 }
const show = () => renderPage(<VoteButton target={TARGET} name="Astra & Co" variant="tinted" />)
const button = () => screen.getByRole('button')

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: 1_800_000_000_000 })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('says whom it votes for', async () => {
  await show()
  expect(button().textContent).toBe('VoterVoter pour Astra & Co')
  expect(screen.getByRole('button', { name: 'Voter pour Astra & Co' })).toBeTruthy()
})

it('counts down until the next vote is possible', async () => {
  await show()
  const inviting = button().className
  act(() => keepNextVote(TARGET.id, Date.now() + 3000))
  expect(screen.getByText('00:03')).toBeTruthy()
  expect(button().className).not.toBe(inviting)
  act(() => vi.advanceTimersByTime(3000))
  expect(screen.queryByText(/00:0/)).toBeNull()
  expect(button().className).toBe(inviting)
})

it('keeps its usual style after an expired cooldown', async () => {
  await show()
  const inviting = button().className
  cleanup()
  keepNextVote(TARGET.id, Date.now() - 1000, 0)
  await show()
  expect(button().className).toBe(inviting)
})
