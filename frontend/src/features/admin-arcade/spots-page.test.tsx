import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refusal, table, type Answer } from '@/testing/answers'
import {
  actionsOf,
  actOn,
  cellsOf,
  dialogCloses,
  openDialog,
  openQuestion,
  plain,
  press,
  rowOf,
} from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { SpotsPage } from './spots-page'

const spot = (id: string, status: string, rest: object = {}) => ({
  id,
  position: 1,
  start_date: '2026-11-20',
  end_date: '2026-12-02',
  status,
  image_url: null,
  website_url: null,
  servers: { name: 'Loup &amp; Garde', slug: 'loup-garde' },
  payments: [
    { state: 'paid', unit_price_cents: 1000, amount_cents: 13000, currency: 'eur', profiles: { username: 'Olga' } },
  ],
  ...rest,
})
const ROWS = [
  spot('s1', 'active'),
  spot('s2', 'suspended', { position: 2, start_date: '2026-12-10', end_date: '2026-12-11' }),
  spot('s3', 'paid', { position: 3, servers: null, website_url: 'https://partner.example', payments: [] }),
  spot('s4', 'archived', {
    position: 3,
    start_date: '2026-10-01',
    end_date: '2026-10-02',
    servers: null,
    payments: [],
  }),
]
const GIVEN = 'Droite, du 20 novembre 2026 au 2 décembre 2026'
const ACTIVE = 'Gauche, du 20 novembre 2026 au 2 décembre 2026'
const SUSPENDED = 'Centre, du 10 décembre 2026 au 11 décembre 2026'

const open = (known: Record<string, Answer> = {}, path = '/admin/arcade-spots') =>
  openPage(<SpotsPage />, { arcade_spots: table(ROWS, [{ id: 's1' }]), ...known }, { path })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-26T12:00:00Z') })
})
afterEach(closePage)

it('lists each spot with dates, payment and buyer', async () => {
  await open()
  expect((await cellsOf(/Olga.*Actions|Gauche/)).slice(0, 8)).toEqual([
    'Gauche',
    '20 nov. 2026',
    '2 déc. 2026',
    'Visible',
    'Loup & Garde',
    '10,00 €',
    '130,00 €',
    'Olga',
  ])
  expect((await cellsOf('partner.example')).slice(3, 8)).toEqual([
    'Réservé',
    'https://partner.example',
    '–',
    'Sans paiement',
    '–',
  ])
})

it('shows an unknown status as ended', async () => {
  await open()
  expect((await cellsOf('1er oct. 2026')).slice(3, 5)).toEqual(['Terminé', '–'])
})

const requests = (page: Awaited<ReturnType<typeof open>>) =>
  Object.fromEntries(page.requestsOf('arcade_spots').find(({ query }) => query.has('limit'))?.query ?? [])

it.each([
  ['?status=suspended&position=2', { status: 'eq.suspended', position: 'eq.2' }],
  ['?from=2026-11-01&to=2026-11-30', { end_date: 'gte.2026-11-01', start_date: 'lte.2026-11-30' }],
  ['?sort=position', { order: 'position.asc.nullslast,id.asc' }],
  ['?from=2026-02-30&to=soon&position=4&status=lost', { order: 'start_date.desc.nullslast,id.asc' }],
])('filters by %s and ignores invalid values', async (search, expected) => {
  const page = await open({}, `/admin/arcade-spots${search}`)
  await screen.findAllByText('Visible')
  expect(requests(page)).toMatchObject(expected)
  for (const filter of ['status', 'position', 'start_date', 'end_date'])
    expect([filter, filter in requests(page)]).toEqual([filter, filter in expected])
})

it('calendar shows four weeks for each position', async () => {
  const { requestsOf } = await open({
    arcade_spots: ({ query }) => Response.json(query.has('limit') ? [] : ROWS.slice(0, 1)),
  })
  const left = within(await screen.findByRole('region', { name: 'Gauche' }))
  expect(plain(left.getByRole('listitem').textContent)).toBe('Loup & Garde du 20 nov. au 2 déc.')
  expect(left.queryByText('Libre')).toBeNull()
  expect(within(screen.getByRole('region', { name: 'Centre' })).getByText('Libre')).toBeTruthy()
  const days = requestsOf('arcade_spots').find(({ query }) => !query.has('limit'))?.query
  expect([days?.get('end_date'), days?.get('start_date')]).toEqual(['gte.2026-11-26', 'lte.2026-12-23'])
})

it('opens the dialog for an unpaid spot', async () => {
  await open()
  await press('Créer sans paiement')
  expect(await openDialog('Espace sans paiement')).toBeTruthy()
})

it('keeps the table where the calendar fails', async () => {
  await open({ arcade_spots: ({ query }) => (query.has('limit') ? Response.json(ROWS) : refusal('57014', 500)()) })
  expect(await screen.findByText('Impossible de charger le calendrier.')).toBeTruthy()
  expect(await rowOf('partner.example')).toBeTruthy()
})

it.each([
  [ACTIVE, ['Suspendre', 'Supprimer']],
  [SUSPENDED, ['Afficher de nouveau', 'Supprimer']],
  [GIVEN, ['Suspendre', 'Supprimer']],
  ['Droite, du 1er octobre 2026 au 2 octobre 2026', ['Supprimer']],
])('offers for "%s" what fits its status', async (name, offered) => {
  await open()
  await rowOf('partner.example')
  expect((await actionsOf(name)).map(({ textContent }) => textContent)).toEqual(offered)
})

it.each([
  [ACTIVE, 'Suspendre', 's1', 'active', 'suspended'],
  [SUSPENDED, 'Afficher de nouveau', 's2', 'suspended', 'paid'],
])('changes %s only as it was shown: %s', async (name, action, id, before, after) => {
  const { sentTo, sentOf } = await open()
  await actOn(name, action)
  expect(await sentTo('arcade_spots')).toEqual([{ status: after }])
  const query = sentOf('arcade_spots')[0]?.query
  expect([query?.get('id'), query?.get('status')]).toEqual([`eq.${id}`, `eq.${before}`])
  await toastSays('Espace modifié', 'success')
})

it('reactivates a suspended spot that has started', async () => {
  const startedSpot = spot('s9', 'suspended', { start_date: '2026-11-26', end_date: '2026-11-27' })
  const { sentTo } = await open({ arcade_spots: table([startedSpot], [{ id: 's9' }]) })
  await actOn('Gauche, du 26 novembre 2026 au 27 novembre 2026', 'Afficher de nouveau')
  expect(await sentTo('arcade_spots')).toEqual([{ status: 'active' }])
})

it.each([
  [[], 'Quelqu’un d’autre vient de modifier cet espace. Vérifiez-le avant de continuer.'],
  [refusal('23P01', 409), 'Ces jours sont déjà réservés à cette position.'],
])('says why a tile stays as it is', async (answer, words) => {
  await open({ arcade_spots: table(ROWS, answer) })
  await actOn(SUSPENDED, 'Afficher de nouveau')
  await toastSays('Impossible de modifier l’espace', 'danger', words)
})

it.each([
  [GIVEN, /^Ses jours redeviennent libres\.$/],
  [ACTIVE, /remboursez plutôt le paiement/],
])('asks before deleting %s, warning when paid', async (name, words) => {
  const { sentOf } = await open()
  await actOn(name, 'Supprimer')
  const { question, getByText } = await openQuestion(`Supprimer l’espace ${name} ?`)
  expect(getByText((text) => words.test(plain(text)))).toBeTruthy()
  expect(sentOf('arcade_spots')).toEqual([])
  await press('Supprimer', question)
  await toastSays('Espace supprimé', 'success')
  expect(sentOf('arcade_spots')[0]?.method).toBe('DELETE')
  await dialogCloses()
})
