import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import * as files from '@/lib/browser/download'
import { refusal, refused, type Answer } from '@/testing/answers'
import { actOn, cellsOf, dialogCloses, openDialog, plain, press, refusesField, rowOf, write } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { PaymentsPage } from './payments-page'

const payment = (id: string, payer: string | null, rest: object = {}) => ({
  id,
  kind: 'prestige',
  state: 'paid',
  provider: 'stripe',
  days: 30,
  amount_cents: 123450,
  currency: 'eur',
  created_at: '2026-11-20T10:05:00Z',
  refund_cents: 0,
  refund_reason: null,
  refund_note: null,
  refunded_cents: 0,
  refund_failed_at: null,
  problem: null,
  disputed_at: null,
  wants_person: false,
  payer,
  server_name: 'Loup &amp; Garde',
  server_slug: 'loup-garde',
  spot_position: null,
  start_date: null,
  end_date: null,
  receipts: [12, 13],
  ...rest,
})
const PAID = payment('p1', 'Olga')
const PARTLY = payment('p2', 'Pablo', { refunded_cents: 100000, amount_cents: 120000, receipts: null })
const FAILED = payment('p3', null, {
  kind: 'arcade',
  days: 1,
  state: 'to_refund',
  provider: null,
  refund_cents: 1000,
  refund_failed_at: '2026-11-21T10:00:00Z',
  wants_person: true,
  refund_note: 'Compte fermé',
  problem: 'card_expired',
  disputed_at: '2026-11-21T10:00:00Z',
  server_name: null,
  server_slug: null,
})
const BACK = payment('p4', 'Quentin', {
  state: 'refunded',
  refunded_cents: 123450,
  server_slug: null,
  server_name: null,
})
const TOTALS = [
  { kind: 'prestige', taken_cents: 500000, refunded_cents: 20000, to_refund_cents: 1000, counted: 1200, troubled: 1 },
  { kind: 'arcade', taken_cents: 4050, refunded_cents: 0, to_refund_cents: 0, counted: 34, troubled: 2 },
]

const open = (known: Record<string, Answer> = {}, path = '/admin/prestige-payments') =>
  openPage(
    <PaymentsPage />,
    { payment_ledger: [PAID, PARTLY, FAILED, BACK], 'rpc/get_payment_totals': TOTALS, ...known },
    { path },
  )

afterEach(closePage)

it('lists payments with payer, subject and state', async () => {
  await open()
  const [payer, day, subject, ...rest] = await cellsOf('Olga')
  expect(payer).toBe('Olga')
  expect(day).toMatch(/^20 nov\. 2026 \d\d:05$/)
  expect(subject).toBe('30 jours de PrestigeLoup & Garde')
  expect(rest).toEqual(['1 234,50 €', 'Payé', 'Stripe', '–', 'n° 12n° 13', ''])
})

it('shows refund failures, disputes and deleted accounts', async () => {
  await open()
  const [payer, , subject, amount, state, provider] = await cellsOf('compte supprimé')
  expect([payer, subject, amount, provider]).toEqual(['compte supprimé', 'Espace Arcade, 1 jour', '1 234,50 €', '–'])
  for (const words of ['À rembourser', 'Rendez l’argent autrement', 'card_expired', 'Contesté', 'Compte fermé'])
    expect(state).toContain(words)
  expect((await cellsOf('Quentin'))[2]).toBe('30 jours de Prestigeserveur supprimé')
})

it('leads to the server and to each receipt', async () => {
  await open()
  const row = within(await rowOf('Olga'))
  expect(row.getByRole('link', { name: 'Loup & Garde' }).getAttribute('href')).toMatch(/loup-garde$/)
  const receipts = row.getAllByRole('link', { name: /^Document n°/ }).map((link) => link.getAttribute('href'))
  expect(receipts.map((href) => href?.split('/').at(-1))).toEqual(['12', '13'])
})

it('adds up both kinds of the days chosen', async () => {
  const { requestsOf } = await open({}, '/admin/prestige-payments?from=2026-11-01&to=2026-11-30')
  const tile = async (name: string) => {
    const [title] = (await screen.findAllByText(name)).filter((each) => each.tagName === 'DT')
    return plain(title?.parentElement?.textContent ?? '')
  }
  await rowOf('Olga')
  expect(await tile('Encaissé')).toBe('Encaissé5 040,50 €Prestige 5 000,00 € · Arcade 40,50 €')
  expect(await tile('Conservé')).toBe('Conservé4 830,50 €1 234 achats en cours')
  expect(await tile('Remboursé')).toBe('Remboursé200,00 €10,00 € encore à rembourser')
  expect(await tile('À traiter')).toBe('À traiter3remboursements en échec et litiges')
  expect(requestsOf('rpc/get_payment_totals')[0]?.body).toEqual({
    p_from: '2026-10-31T23:00:00.000Z',
    p_until: '2026-11-30T23:00:00.000Z',
  })
})

it.each([
  ['?state=trouble', { wants_person: 'is.true' }],
  ['?state=to_refund&kind=arcade&provider=test', { state: 'eq.to_refund', kind: 'eq.arcade', provider: 'eq.test' }],
  ['?sort=amount_cents', { order: 'amount_cents.asc.nullslast,id.asc' }],
  ['?from=2026-02-30&state=stolen&sort=payer', { order: 'created_at.desc.nullslast,id.asc' }],
])('asks for what %s names', async (search, expected) => {
  const { lastQuery } = await open({}, `/admin/prestige-payments${search}`)
  await rowOf('Olga')
  const query = Object.fromEntries(lastQuery('payment_ledger') ?? [])
  expect(query).toMatchObject(expected)
  for (const filter of ['state', 'kind', 'provider', 'wants_person', 'created_at'])
    expect([filter, filter in query]).toEqual([filter, filter in expected])
})

it('searches by words with the other filters', async () => {
  const { requestsOf } = await open(
    { 'rpc/search_payment_ledger': [PARTLY] },
    '/admin/prestige-payments?q=pablo&kind=prestige',
  )
  await rowOf('Pablo')
  const [request] = requestsOf('rpc/search_payment_ledger')
  expect(request?.body).toEqual({ p_text: 'pablo' })
  expect(request?.query.get('kind')).toBe('eq.prestige')
  expect(requestsOf('payment_ledger')).toEqual([])
})

it('payments and totals load independently', async () => {
  await open({ 'rpc/get_payment_totals': refusal('57014', 500) })
  expect(await screen.findByText('Impossible de charger les totaux.')).toBeTruthy()
  expect(await rowOf('Olga')).toBeTruthy()
  await closePage()
  await open({ payment_ledger: refusal('57014', 500) })
  expect(await screen.findByText('Impossible de charger les paiements.')).toBeTruthy()
  expect(await screen.findByText('Encaissé')).toBeTruthy()
})

it('offers refunds only for refundable payments', async () => {
  const fullRefund = payment('p5', 'Rosa', { refunded_cents: 123450 })
  await open({ payment_ledger: [PAID, PARTLY, BACK, fullRefund] })
  const offers = async (name: string) => (await rowOf(name)).querySelector('[aria-haspopup="menu"]') !== null
  expect(await offers('Olga')).toBe(true)
  expect(await offers('Pablo')).toBe(true)
  expect(await offers('Quentin')).toBe(false)
  expect(await offers('Rosa')).toBe(false)
})

it('refunds the remaining amount by default', async () => {
  const { sentTo } = await open({ 'rpc/refund_payment': {} })
  await actOn('Pablo, 20 novembre 2026', 'Rembourser')
  const { dialog, getByText } = await openDialog('Rembourser Pablo')
  expect(getByText('Les jours de Prestige non commencés seront retirés.')).toBeTruthy()
  await write('Motif', ' Erreur de notre part ', dialog)
  await press('Rembourser', dialog)
  expect(await sentTo('rpc/refund_payment')).toEqual([
    { p_payment_id: 'p2', p_amount_cents: 20000, p_note: 'Erreur de notre part' },
  ])
  await toastSays('Remboursement demandé', 'success', 'L’acheteur est prévenu par e-mail.')
  await dialogCloses()
})

it('refunds a partial amount with decimals', async () => {
  const { sentTo } = await open({ 'rpc/refund_payment': {} })
  await actOn('Olga, 20 novembre 2026', 'Rembourser')
  const { dialog } = await openDialog()
  await write('Montant à rembourser', '1 000,05', dialog)
  await write('Motif', 'Geste', dialog)
  await press('Rembourser', dialog)
  const [sent] = await sentTo('rpc/refund_payment')
  expect(sent).toMatchObject({ p_amount_cents: 100005 })
})

it('refuses invalid refund amounts with the range', async () => {
  const { sentOf } = await open()
  await actOn('Pablo, 20 novembre 2026', 'Rembourser')
  const { dialog } = await openDialog()
  for (const amount of ['0', '200,01', '-5', 'dix', '1,005', '']) {
    await write('Montant à rembourser', amount, dialog)
    await press('Rembourser', dialog)
    await refusesField('Montant à rembourser', 'De 0,01 € à 200,00 €.', dialog)
  }
  await refusesField('Motif', 'Ce champ est obligatoire.', dialog)
  expect(sentOf('rpc/refund_payment')).toEqual([])
})

it.each([
  ['refund_asked', 'Quelqu’un d’autre a déjà remboursé ce paiement ou demandé son remboursement.'],
  ['not_paid', 'Vous ne pouvez rembourser qu’un paiement encaissé.'],
  ['refund_amount', 'Ce montant dépasse ce qui reste à rembourser.'],
])('shows refund error %s and keeps the input', async (details, words) => {
  await open({ 'rpc/refund_payment': refusal('P0001', 400, { details }) })
  await actOn('Olga, 20 novembre 2026', 'Rembourser')
  const { dialog, findByText, getByDisplayValue } = await openDialog()
  await write('Motif', 'Geste', dialog)
  await press('Rembourser', dialog)
  expect(await findByText(words)).toBeTruthy()
  expect(getByDisplayValue('Geste')).toBeTruthy()
})

it('records a manual refund after provider failure', async () => {
  const { sentTo } = await open({ 'rpc/settle_failed_refund': {} })
  await actOn('compte supprimé, 20 novembre 2026', 'Enregistrer le remboursement')
  const { dialog, getByText } = await openDialog()
  expect(getByText((text) => plain(text).startsWith('10,00 € à rembourser à compte supprimé'))).toBeTruthy()
  await write('Mode de remboursement', 'Virement du 24', dialog)
  await press('Confirmer le remboursement', dialog)
  expect(await sentTo('rpc/settle_failed_refund')).toEqual([{ p_payment_id: 'p3', p_note: 'Virement du 24' }])
  await toastSays('Remboursement enregistré', 'success')
})

it('CSV export writes numbers and escapes formulas', async () => {
  const saved = vi.spyOn(files, 'download').mockImplementation(() => undefined)
  await open({ payment_ledger: [payment('p1', '=HYPERLINK("x")'), FAILED] })
  await rowOf('compte supprimé')
  await press('Exporter en CSV')
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  const lines = String(saved.mock.calls[0]?.[1]).split('\r\n')
  expect(lines[1]).toBe(`"'=HYPERLINK(""x"")";2026-11-20T10:05:00Z;prestige 30 Loup & Garde;1234.5;paid;stripe;0;12 13`)
  expect(lines[2]).toBe(';2026-11-20T10:05:00Z;arcade 1;1234.5;to_refund;;0;12 13')
})

it('says that nothing was paid yet', async () => {
  await open({ payment_ledger: () => Response.json([]), 'rpc/get_payment_totals': () => refused('57014', 500) })
  expect(await screen.findByText('Aucun paiement pour le moment.')).toBeTruthy()
})
