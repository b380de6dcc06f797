import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { CheckoutReturn } from './checkout-return'
import { paymentStateOf, type PaymentState } from './payment-state'

type Row = { state: PaymentState } | null

async function comeBack(read: () => Promise<Row>, sessionId: string | null = 'cs_1') {
  await renderPage(
    <CheckoutReturn
      sessionId={sessionId}
      payment={(id) => ({ queryKey: ['payments', id], queryFn: read })}
      actions={(row) => <a href="/profile">{row === null ? 'Mes achats' : `Après ${row.state}`}</a>}
    >
      {() => <p>30 jours de Prestige</p>}
    </CheckoutReturn>,
  )
}

it('asks again until the payment is sure, then says what was bought', async () => {
  const read = vi.fn<() => Promise<Row>>().mockResolvedValueOnce({ state: 'open' }).mockResolvedValue({ state: 'paid' })
  await comeBack(read)
  expect(screen.getByRole('heading', { name: 'Vérification du paiement' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Paiement confirmé' }, { timeout: 10_000 })).toBeTruthy()
  expect(screen.getByText('30 jours de Prestige')).toBeTruthy()
  expect(read).toHaveBeenCalledTimes(2)
})

it('waits longer each time, and says so when it takes long', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  try {
    const read = vi.fn<() => Promise<Row>>().mockResolvedValue({ state: 'open' })
    await comeBack(read)
    await vi.advanceTimersByTimeAsync(10_000)
    const early = read.mock.calls.length
    await vi.advanceTimersByTimeAsync(10_000)
    expect(read.mock.calls.length - early).toBeLessThan(early)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(screen.getByText(/Vous pouvez fermer cette page/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Vérifier de nouveau' })).toBeTruthy()
  } finally {
    vi.useRealTimers()
  }
})

it('says that it takes long though nobody answers meanwhile', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  try {
    const read = vi
      .fn<() => Promise<Row>>()
      .mockResolvedValueOnce({ state: 'open' })
      .mockReturnValue(new Promise(() => {}))
    await comeBack(read)
    await vi.advanceTimersByTimeAsync(13_000)
    expect(screen.getByText(/Vous pouvez fermer cette page/)).toBeTruthy()
  } finally {
    vi.useRealTimers()
  }
})

it.each([
  ['failed', 'Paiement non abouti'],
  ['expired', 'Délai de paiement dépassé'],
  ['toRefund', 'Remboursement en cours'],
  ['refunded', 'Paiement remboursé'],
] as const)('says of a payment that is %s what it means, and where to go', async (state, title) => {
  const read = vi.fn<() => Promise<Row>>().mockResolvedValue({ state })
  await comeBack(read)
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  expect(screen.getByRole('link', { name: `Après ${state}` })).toBeTruthy()
  expect(read).toHaveBeenCalledTimes(1)
})

it('does not call a payment lost that could not be checked', async () => {
  const read = vi.fn<() => Promise<Row>>().mockRejectedValueOnce(new Error('no')).mockResolvedValue({ state: 'paid' })
  await comeBack(read)
  await userEvent.click(await screen.findByRole('button', { name: 'Vérifier de nouveau' }))
  expect(await screen.findByRole('heading', { name: 'Paiement confirmé' })).toBeTruthy()
})

it('reads nothing when it was opened without a payment, and says so of a session nobody knows', async () => {
  const read = vi.fn<() => Promise<Row>>().mockResolvedValue(null)
  await comeBack(read, null)
  expect(screen.getByRole('heading', { name: 'Identifiant de session manquant' })).toBeTruthy()
  expect(read).not.toHaveBeenCalled()
  await comeBack(read)
  expect(await screen.findByRole('heading', { name: 'Paiement introuvable' })).toBeTruthy()
})

it('takes a state it does not know as not decided', () => {
  expect(['to_refund', 'paid', 'else', 'toString'].map(paymentStateOf)).toEqual(['toRefund', 'paid', 'open', 'open'])
})
