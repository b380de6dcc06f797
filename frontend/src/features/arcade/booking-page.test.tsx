import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { goToCheckout } from '@/components/checkout/go-to-checkout'
import { currentToast } from '@/components/ui/toast-store'
import { answers, persona, refused, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { signInAsAda, signOut } from '@/testing/sign-in'
import { BookingPage } from './booking-page'

vi.mock('@/components/checkout/go-to-checkout', () => ({ goToCheckout: vi.fn() }))

const TERMS = { arcadeDailyCents: 1000, taxBasisPoints: 0, taxNote: '', withdrawalDays: 14 }
const ORDER = 'Commander avec obligation de paiement'
const PICTURE = 'https://example.org/tile.png'
const COPY = '/storage/v1/object/public/server-images/arcade-spots/ada/copy-1.png'
const user = userEvent.setup()
let taken: object[]
let answer: () => Response
let requestsOf: (name: string) => ApiRequest[]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') })
  vi.mocked(goToCheckout).mockReset()
  taken = [{ position: 1, start_date: '2026-12-10', end_date: '2026-12-11' }]
  answer = () => Response.json({ url: 'https://pay.example/cs_1', paymentId: 'p1' })
  ;({ requestsOf } = answers({
    ...persona('owner'),
    arcade_days_taken: () => Response.json(taken),
    servers_managed: [{ id: 's1', name: 'Astra &amp; Co', monthly_votes: 12, games: { name: 'Rust' } }],
    'rpc/calculate_arcade_spot_price': ({ body }) => Response.json((body as { p_days: number }).p_days * 999),
    'functions/cleanup-pending-arcade-spots': () => Response.json({ released: 0 }),
    'functions/copy-picture': () => Response.json({ success: true, data: { path: COPY } }),
    'functions/create-arcade-spot-payment': () => answer(),
  }))
  await signInAsAda()
})
afterEach(async () => {
  await act(signOut)
  // The draft is stored once more when the form is unmounted.
  cleanup()
  localStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(path = '/arcade-spots-management') {
  await renderPage(<BookingPage terms={TERMS} bookings={<p>Vos réservations</p>} />, { path })
  await screen.findByRole('heading', { name: 'Réserver un espace Arcade' })
}

const day = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name: new RegExp(name) })
const order = () => user.click(screen.getByRole('button', { name: ORDER }))

async function fill(from: string, to: string) {
  await user.click(screen.getByRole('radio', { name: 'Gauche' }))
  await user.click(day(from))
  await user.click(day(to))
  await user.type(screen.getByLabelText(/Ou l’adresse d’une image/), PICTURE)
  await user.click(screen.getByRole('checkbox'))
}

it('reports missing fields and sends nothing', async () => {
  await open()
  await order()
  for (const words of ['Position manquante', 'Dates manquantes', 'Image manquante'])
    expect(await screen.findByText(words)).toBeTruthy()
  expect(requestsOf('functions/create-arcade-spot-payment')).toEqual([])
})

it('disables booked days of the selected position', async () => {
  await open('/arcade-spots-management?position=1')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Gauche' }).checked).toBe(true)
  await waitFor(() => expect(day(' 10 décembre').disabled).toBe(true))
  expect(day(' 9 décembre').disabled).toBe(false)
  await user.click(screen.getByRole('radio', { name: 'Centre' }))
  expect(day(' 10 décembre').disabled).toBe(false)
})

it('previews the spot and submits the booking', async () => {
  await open()
  await fill(' 3 décembre', ' 5 décembre')
  await user.selectOptions(await screen.findByLabelText(/Votre serveur/), 's1')
  await user.type(screen.getByLabelText(/Site web/), 'https://astra.example')
  const preview = within(await screen.findByRole('region', { name: 'Aperçu' }))
  expect(await preview.findByText('Astra & Co')).toBeTruthy()
  expect(preview.getByText('Rust')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('Total').nextSibling?.textContent).toMatch(/^29,97.€$/))
  await order()
  await waitFor(() => expect(vi.mocked(goToCheckout).mock.calls).toEqual([['https://pay.example/cs_1', 'beside']]))
  expect(requestsOf('functions/create-arcade-spot-payment')[0]?.body).toEqual({
    position: 1,
    startDate: '2026-12-03',
    endDate: '2026-12-05',
    imageUrl: COPY,
    websiteUrl: 'https://astra.example',
    serverId: 's1',
    language: 'fr',
    beginsAtOnce: true,
  })
})

it('offers remaining days after a booking conflict', async () => {
  await open()
  await fill(' 3 décembre', ' 6 décembre')
  answer = () => {
    taken = [{ position: 1, start_date: '2026-12-04', end_date: '2026-12-04' }]
    return refused('days_taken', 409, { taken: [['2026-12-04', '2026-12-04']] })
  }
  await order()
  expect(await screen.findByText('Parmi les dates choisies, il reste :')).toBeTruthy()
  expect(currentToast()).toMatchObject({ tone: 'danger', title: 'Erreur lors de la réservation' })
  expect(screen.getByLabelText<HTMLInputElement>(/Ou l’adresse d’une image/).value).toBe(PICTURE)
  expect(screen.getByRole('button', { name: 'du 3 déc. au 3 déc.' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'du 5 déc. au 6 déc.' }))
  answer = () => Response.json({ url: 'https://pay.example/cs_2', paymentId: 'p2' })
  await order()
  await waitFor(() => expect(goToCheckout).toHaveBeenCalled())
  expect(requestsOf('functions/create-arcade-spot-payment')[1]?.body).toMatchObject({
    startDate: '2026-12-05',
    endDate: '2026-12-06',
  })
})

it('releases unpaid days after a cancelled payment', async () => {
  await open('/arcade-spots-management?cancelled=1')
  await waitFor(() => expect(requestsOf('functions/cleanup-pending-arcade-spots')).toHaveLength(1))
  expect(screen.getByText('Vos réservations')).toBeTruthy()
  expect(screen.getByText(/Paiement interrompu/)).toBeTruthy()
  expect(currentToast()?.title).not.toMatch(/cleanup/)
})
