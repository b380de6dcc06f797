import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { CheckoutReturn, type PaymentState } from './checkout-return'

async function comeBack(read: () => Promise<PaymentState>, sessionId: string | null = 'cs_1') {
  await renderPage(
    <CheckoutReturn
      sessionId={sessionId}
      payment={(id) => ({ queryKey: ['payments', id], queryFn: read })}
      confirmed={<p>30 jours de Prestige</p>}
      actions={<a href="/profile">Mes achats</a>}
    />,
  )
}

it('asks again until the payment is sure, then says what was bought', async () => {
  const read = vi.fn<() => Promise<PaymentState>>().mockResolvedValueOnce('pending').mockResolvedValue('paid')
  await comeBack(read)
  expect(screen.getByRole('heading', { name: 'Vérification du paiement' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Paiement confirmé' }, { timeout: 10_000 })).toBeTruthy()
  expect(screen.getByText('30 jours de Prestige')).toBeTruthy()
  expect(read).toHaveBeenCalledTimes(2)
})

it('says that nothing was paid, and what to do', async () => {
  await comeBack(() => Promise.resolve('failed'))
  expect(await screen.findByRole('heading', { name: 'Paiement non abouti' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Mes achats' })).toBeTruthy()
})

it('does not call a payment lost that could not be checked', async () => {
  const read = vi.fn<() => Promise<PaymentState>>().mockRejectedValueOnce(new Error('no')).mockResolvedValue('paid')
  await comeBack(read)
  await userEvent.click(await screen.findByRole('button', { name: 'Vérifier de nouveau' }))
  expect(await screen.findByRole('heading', { name: 'Paiement confirmé' })).toBeTruthy()
})

it('reads nothing when it was opened without a payment', async () => {
  const read = vi.fn<() => Promise<PaymentState>>()
  await comeBack(read, null)
  expect(screen.getByRole('heading', { name: 'Identifiant de session manquant' })).toBeTruthy()
  expect(read).not.toHaveBeenCalled()
})
