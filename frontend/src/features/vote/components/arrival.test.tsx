import { afterEach, expect, it, vi } from 'vitest'
import { screen } from '@testing-library/react'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { Arrival } from './arrival'

interface Delivery {
  channel: string
  status: string
  is_confirmed: boolean | null
}

const of = (status: string, is_confirmed: boolean | null = null): Delivery => ({
  channel: 'votifier',
  status,
  is_confirmed,
})

/** The deliveries at each read; the last ones stay. */
function looks(...known: (readonly Delivery[])[]) {
  let look = 0
  return answers({ 'rpc/get_vote_arrival': () => Response.json(known[Math.min(look++, known.length - 1)]) })
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('shows nothing without a delivery', async () => {
  const { requests } = looks([])
  const { container } = await renderPage(<Arrival voteId="v" />)
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  expect(container.textContent).toBe('')
})

it('looks again until the server has it', async () => {
  const { requests } = looks([of('pending')], [of('pending'), of('delivered', true)])
  await renderPage(<Arrival voteId="v" />)
  expect(await screen.findByText('Transmission de votre vote au serveur…')).toBeTruthy()
  expect(await screen.findByText('Le serveur a reçu votre vote.', {}, { timeout: 5000 })).toBeTruthy()
  expect(requests.map(({ query, body }) => query.get('p_vote_id') ?? body)).toHaveLength(2)
})

it.each([
  [of('delivered', false), 'Votre vote est transmis au serveur.'],
  [of('failed'), /^Votre vote compte\. Le serveur ne répond pas/],
])('does not say more than it knows', async (delivery, words) => {
  looks([delivery])
  await renderPage(<Arrival voteId="v" />)
  expect(await screen.findByText(words)).toBeTruthy()
})

it('shows pending delivery after the last poll', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { requests } = looks([of('pending')])
  await renderPage(<Arrival voteId="v" />)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await screen.findByText(/nous le préviendrons plus tard/)).toBeTruthy()
  expect(requests).toHaveLength(6)
})
