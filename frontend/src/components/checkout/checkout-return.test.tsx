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

it('polls until paid, then shows the purchase', async () => {
  const read = vi.fn<() => Promise<Row>>().mockResolvedValueOnce({ state: 'open' }).mockResolvedValue({ state: 'paid' })
  await comeBack(read)
  expect(screen.getByRole('heading', { name: 'Vérification du paiement' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Paiement confirmé' }, { timeout: 10_000 })).toBeTruthy()
  expect(screen.getByText('30 jours de Prestige')).toBeTruthy()
  expect(read).toHaveBeenCalledTimes(2)
})

it('polls less often and reports a long wait', async () => {
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

it('reports a long wait while a request hangs', async () => {
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
] as const)('explains a %s payment and links onward', async (state, title) => {
  const read = vi.fn<() => Promise<Row>>().mockResolvedValue({ state })
  await comeBack(read)
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  expect(screen.getByRole('link', { name: `Après ${state}` })).toBeTruthy()
  expect(read).toHaveBeenCalledTimes(1)
})

it('offers a new check after a failed request', async () => {
  const read = vi.fn<() => Promise<Row>>().mockRejectedValueOnce(new Error('no')).mockResolvedValue({ state: 'paid' })
  await comeBack(read)
  await userEvent.click(await screen.findByRole('button', { name: 'Vérifier de nouveau' }))
  expect(await screen.findByRole('heading', { name: 'Paiement confirmé' })).toBeTruthy()
})

it('reports a missing session or an unknown payment', async () => {
  const read = vi.fn<() => Promise<Row>>().mockResolvedValue(null)
  await comeBack(read, null)
  expect(screen.getByRole('heading', { name: 'Identifiant de session manquant' })).toBeTruthy()
  expect(read).not.toHaveBeenCalled()
  await comeBack(read)
  expect(await screen.findByRole('heading', { name: 'Paiement introuvable' })).toBeTruthy()
})

it('treats an unknown payment state as open', () => {
  expect(['to_refund', 'paid', 'else', 'toString'].map(paymentStateOf)).toEqual(['toRefund', 'paid', 'open', 'open'])
})
