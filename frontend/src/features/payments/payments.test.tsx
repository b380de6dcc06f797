import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { answers, persona, refused, type Answer, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import { PaymentsPanel } from './components/payments-panel'
import { ReceiptsPanel } from './components/receipts-panel'
import { ReceiptPage } from './receipt-page'
import { ReturnPage } from './return-page'

const NOW = new Date('2026-11-23T12:00:00Z')
const TERMS = { arcadeDailyCents: 1000, taxBasisPoints: 0, taxNote: '', withdrawalDays: 14 }
const PAYMENT = {
  id: 'p1',
  kind: 'prestige',
  days: 30,
  amount_cents: 1200,
  currency: 'eur',
  state: 'paid',
  created_at: '2026-11-22T12:00:00Z',
  expires_at: '2026-11-22T12:30:00Z',
  session_url: 'https://pay.example/cs_1',
  paid_at: '2026-11-22T12:01:00Z',
  covers_until: '2026-12-22T12:01:00Z',
  refund_cents: 0,
  refund_reason: null,
  refunded_cents: 0,
  refunded_at: null,
  disputed_at: null,
  servers: { id: 's1', slug: 'astra', name: 'Astra &amp; Co' },
  arcade_spots: null,
  payment_receipts: [{ number: 12, kind: 'receipt' }],
}
const SPOT = { position: 2, start_date: '2026-11-25', end_date: '2026-11-27', status: 'paid' }
const RECEIPT = {
  number: 12,
  kind: 'receipt',
  payment_id: 'p1',
  buyer_name: 'Ada',
  buyer_email: 'ada@example.org',
  issued_at: '2026-11-22T12:01:00Z',
  subject: { kind: 'prestige', server: 'Astra &amp; Co' },
  days: 30,
  unit_price_cents: 40,
  amount_cents: 1200,
  tax_basis_points: 2000,
  tax_cents: 200,
  currency: 'eur',
  seller: { name: 'Palmarès SARL', address: '1 rue du Port\nBrest', tax_id: 'FR123', tax_note: '' },
}
const user = userEvent.setup()
let requestsOf: (name: string) => ApiRequest[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})
afterEach(async () => {
  await act(signOut)
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function answering(known: Record<string, Answer>): Promise<void> {
  ;({ requestsOf } = answers({ ...persona('player'), ...known }))
  await signInAsAda()
}

const plain = (text: string | null | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ')

it('tells how each purchase stands, and leads on', async () => {
  await answering({
    payments: [
      { ...PAYMENT, id: 'a', state: 'open', expires_at: '2026-11-23T12:20:00Z', paid_at: null, payment_receipts: [] },
      { ...PAYMENT, id: 'b', state: 'open', paid_at: null, payment_receipts: [] },
      { ...PAYMENT, id: 'c' },
      { ...PAYMENT, id: 'd', state: 'to_refund', refund_cents: 800, refund_reason: 'withdrawn' },
      {
        ...PAYMENT,
        id: 'e',
        state: 'refunded',
        refunded_cents: 1200,
        refunded_at: '2026-11-23T00:00:00Z',
        refund_reason: 'subject_gone',
        servers: null,
      },
      { ...PAYMENT, id: 'f', kind: 'arcade', arcade_spots: SPOT },
    ],
  })
  await renderPage(<PaymentsPanel userId={ADA.id} kind="prestige" terms={TERMS} />)
  await screen.findByText('À payer')
  const rows = screen.getAllByRole('listitem').map((row) => plain(row.textContent))
  expect(rows).toHaveLength(5)
  expect(screen.getByRole('link', { name: /^Reprendre le paiement/ }).getAttribute('href')).toBe(PAYMENT.session_url)
  expect(rows[0]).toMatch(/30 jours de Prestige.*Astra & Co.*À payer avant \d\d:\d\d\..*12,00 €/)
  expect(rows[1]).toContain('En vérification')
  expect(rows[2]).toContain('Valable jusqu’au 22 décembre 2026.')
  expect(rows[2]).toContain('Reçu n° 000012')
  expect(rows[3]).toContain(
    'Vous recevrez un remboursement de 8,00 € sous quelques jours. Vous avez renoncé au contrat.',
  )
  expect(rows[4]).toMatch(
    /serveur supprimé.*Remboursement de 12,00 € le 23 novembre 2026\. Votre achat n’existait plus/,
  )
  expect(screen.getAllByRole('button', { name: 'Renoncer au contrat ici' })).toHaveLength(1)
})

it('shows Arcade bookings with their spot status', async () => {
  await answering({
    payments: [
      { ...PAYMENT, id: 'f', kind: 'arcade', servers: null, arcade_spots: SPOT },
      { ...PAYMENT, id: 'g', kind: 'arcade', arcade_spots: { ...SPOT, status: 'suspended' } },
      { ...PAYMENT, id: 'h', kind: 'arcade', arcade_spots: { ...SPOT, end_date: '2026-11-22', status: 'active' } },
    ],
  })
  await renderPage(<PaymentsPanel userId={ADA.id} kind="arcade" terms={TERMS} />)
  expect(await screen.findByText('Réservé')).toBeTruthy()
  expect(screen.getByText('Suspendu')).toBeTruthy()
  expect(screen.getByText('Terminé')).toBeTruthy()
  expect(screen.getAllByText('Espace Arcade du centre, 30 jours')).toHaveLength(3)
})

it('keeps the original days of a cancelled spot', async () => {
  const spot = { ...SPOT, end_date: SPOT.start_date, status: 'cancelled' }
  await answering({ payments: [{ ...PAYMENT, kind: 'arcade', days: 7, state: 'refunded', arcade_spots: spot }] })
  await renderPage(<PaymentsPanel userId={ADA.id} kind="arcade" terms={TERMS} />)
  await screen.findByText('Espace Arcade du centre, 7 jours')
  expect(plain(screen.getByRole('listitem').textContent)).toContain('du 25 nov. au 1er déc.')
})

it('confirms withdrawal with the displayed refund amount', async () => {
  let cents = 1160
  let answer = () => Response.json({ id: 'p1' })
  await answering({
    payments: [PAYMENT],
    'rpc/quote_withdrawal': () =>
      Response.json([{ may_withdraw: true, until: '2026-12-06T12:01:00Z', unused_days: 29, refund_cents: cents }]),
    'rpc/withdraw_from_payment': () => answer(),
  })
  await renderPage(<PaymentsPanel userId={ADA.id} kind="prestige" terms={TERMS} />)
  await user.click(await screen.findByRole('button', { name: 'Renoncer au contrat ici' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Renoncer au contrat/ }))
  expect(plain((await dialog.findByText(/11,60/)).textContent)).toBe('11,60 €')
  expect(dialog.getByText('Les 29 jours de Prestige restants de Astra & Co prennent fin aussitôt.')).toBeTruthy()
  expect(requestsOf('rpc/withdraw_from_payment')).toEqual([])
  answer = () => {
    cents = 1120
    return refused('22023', 400, { details: 'amount_changed' })
  }
  await user.click(dialog.getByRole('button', { name: 'Confirmer la rétractation' }))
  expect(await dialog.findByText(/11,20/)).toBeTruthy()
  expect(currentToast()).toMatchObject({
    title: 'Impossible d’enregistrer la rétractation',
    description: 'Le montant vient de changer. Vérifiez-le, puis confirmez de nouveau.',
  })
  answer = () => Response.json({ id: 'p1' })
  await user.click(dialog.getByRole('button', { name: 'Confirmer la rétractation' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(requestsOf('rpc/withdraw_from_payment').map(({ body }) => body)).toEqual([
    { p_payment_id: 'p1', p_refund_cents: 1160 },
    { p_payment_id: 'p1', p_refund_cents: 1120 },
  ])
})

it('lists receipts and credit notes', async () => {
  await answering({
    payment_receipts: [{ ...RECEIPT, number: 13, kind: 'credit', amount_cents: 800 }, RECEIPT],
  })
  await renderPage(<ReceiptsPanel userId={ADA.id} />)
  expect(await screen.findByText('Avoir n° 000013')).toBeTruthy()
  expect(plain(screen.getByText(/^-8,00/).textContent)).toBe('-8,00 €')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/profile/receipts/13',
    '/profile/receipts/12',
  ])
})

it('shows receipt parties, lines, tax and credit notes', async () => {
  await answering({
    payment_receipts: ({ query }) =>
      Response.json(
        query.has('payment_id')
          ? [{ number: 13, kind: 'credit', amount_cents: 800, issued_at: '2026-11-23T00:00:00Z' }]
          : RECEIPT,
      ),
  })
  const { container } = await renderPage(<ReceiptPage />, { path: '/profile/receipts/12' })
  await screen.findByRole('heading', { name: 'Reçu n°\u00a0000012' })
  const text = plain(container.textContent)
  for (const words of ['Palmarès SARL', '1 rue du Port', 'N° de TVA : FR123', 'Ada', 'ada@example.org', 'Astra & Co'])
    expect(text).toContain(words)
  expect(screen.getAllByRole('row').map((row) => plain(row.textContent))).toEqual([
    'DésignationJoursPrix par jourMontant',
    '30 jours de PrestigeAstra & Co300,40 €12,00 €',
    'Dont TVA (20 %)2,00 €',
    'Total payé12,00 €',
  ])
  expect(screen.getByRole('link', { name: 'Avoir n°\u00a0000013' })).toBeTruthy()
})

it('shows not found for unknown receipt numbers', async () => {
  await answering({ payment_receipts: () => refused('PGRST116', 406) })
  await renderPage(<ReceiptPage />, { path: '/profile/receipts/abc' })
  expect(await screen.findByRole('heading', { name: 'Reçu introuvable' })).toBeTruthy()
  cleanup()
  await renderPage(<ReceiptPage />, { path: '/profile/receipts/99' })
  expect(await screen.findByRole('heading', { name: 'Reçu introuvable' })).toBeTruthy()
})

const RETURNED = {
  kind: 'prestige',
  state: 'paid',
  days: 30,
  amount_cents: 1200,
  currency: 'eur',
  paid_at: '2026-11-22T12:01:00Z',
  covers_from: '2026-11-22T12:01:00Z',
  covers_until: '2026-12-22T12:01:00Z',
  refund_reason: null,
  refunded_cents: 0,
  is_own: false,
  server_name: 'Astra &amp; Co',
  server_slug: 'astra',
  spot_position: null,
  start_date: null,
  end_date: null,
}

it('checks the payment and confirms the purchase', async () => {
  ;({ requestsOf } = answers({
    'rpc/get_payment_by_session': [RETURNED],
    'functions/check-payment': () => refused('provider_unavailable', 503),
  }))
  await renderPage(<ReturnPage kind="prestige" />, { path: '/prestige/success?session_id=cs_1' })
  expect(await screen.findByRole('heading', { name: 'Paiement confirmé' })).toBeTruthy()
  expect(requestsOf('functions/check-payment').map(({ body }) => body)).toEqual([{ sessionId: 'cs_1' }])
  expect(screen.getByText('Valable jusqu’au 22 décembre 2026.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Voir mon serveur' }).getAttribute('href')).toBe('/serveur/astra')
  expect(screen.queryByRole('link', { name: 'Mes achats' })).toBeNull()
})

it('skips the payment check for unknown sessions', async () => {
  ;({ requestsOf } = answers({ 'rpc/get_payment_by_session': [] }))
  await renderPage(<ReturnPage kind="arcade" />, { path: '/arcade-spots/success?session_id=none' })
  await vi.waitFor(() => expect(requestsOf('rpc/get_payment_by_session').length).toBeGreaterThan(0))
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
  expect(requestsOf('functions/check-payment')).toEqual([])
})

it('shows the refund reason and rebooking link', async () => {
  answers({
    'rpc/get_payment_by_session': [
      {
        ...RETURNED,
        kind: 'arcade',
        state: 'to_refund',
        refund_reason: 'days_taken',
        spot_position: 3,
        start_date: '2026-11-25',
        end_date: '2026-11-27',
        is_own: true,
      },
    ],
    'functions/check-payment': { state: 'to_refund' },
  })
  await renderPage(<ReturnPage kind="arcade" />, { path: '/arcade-spots/success?session_id=cs_1' })
  expect(await screen.findByRole('heading', { name: 'Remboursement en cours' })).toBeTruthy()
  expect(screen.getByText('Quelqu’un d’autre a pris les dates avant l’arrivée du paiement.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Réserver à nouveau' })).toBeTruthy()
})
