import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { goToCheckout } from '@/components/checkout/go-to-checkout'
import { closePrestigeDialog, openPrestigeDialog } from '@/entities/prestige/dialog'
import { answers, persona, refused, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { signInAsAda, signOut } from '@/testing/sign-in'
import { PrestigeDialogHost } from './prestige-dialog-host'

vi.mock('@/components/checkout/go-to-checkout', () => ({ goToCheckout: vi.fn() }))

const SERVER = { id: 'a9d2b8de-0000-4000-8000-000000000001', name: 'Astra' }
const TERMS = { arcadeDailyCents: 1000, taxBasisPoints: 2000, taxNote: '', withdrawalDays: 14 }
const ORDER = 'Commander avec obligation de paiement'
const user = userEvent.setup()
let standing: object
let answer: () => Response
let requestsOf: (name: string) => ApiRequest[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T12:00:00Z') })
  vi.mocked(goToCheckout).mockReset()
  standing = { is_sponsored: false, prestige_expires_at: null }
  answer = () => Response.json({ url: 'https://pay.example/cs_1', paymentId: 'p1' })
  ;({ requestsOf } = answers({
    ...persona('owner'),
    servers: () => Response.json(standing),
    prestige_pricing: [
      { min_days: 1, unit_price_cents: 50 },
      { min_days: 30, unit_price_cents: 40 },
    ],
    // Not the sum of the tiers: the total must come from the procedure.
    'rpc/calculate_prestige_price': ({ body }) => Response.json((body as { p_days: number }).p_days * 100 + 1),
    'functions/create-prestige-payment': () => answer(),
  }))
})
afterEach(async () => {
  act(closePrestigeDialog)
  await signOut()
  // The draft is stored once more when the dialog is unmounted.
  cleanup()
  localStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open() {
  await signInAsAda()
  await renderPage(<PrestigeDialogHost terms={TERMS} />)
  act(() => openPrestigeDialog(SERVER))
  return within(await screen.findByRole('dialog', { name: 'Prestige pour Astra' }))
}

const plain = (text: string | null | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ')

it('offers preset durations with 30 days selected', async () => {
  const dialog = await open()
  await dialog.findByText(/3.?001|30,01/)
  const choices = dialog.getAllByRole<HTMLInputElement>('radio')
  expect(choices.map(({ value }) => value)).toEqual(['7', '15', '30', '60', '90', '180', '365'])
  expect(choices.find(({ checked }) => checked)?.value).toBe('30')
  expect(plain(dialog.getByText('Total').nextSibling?.textContent)).toBe('30,01 €')
  await waitFor(() =>
    expect(plain(dialog.getByText(/par jour$/, { selector: 'dd' }).textContent)).toBe('0,40 € par jour'),
  )
  expect(plain(dialog.getByText(/TVA/).textContent)).toContain('Prix TTC, TVA de 20 % comprise.')
  expect(await dialog.findByText('Prestige jusqu’au 23 décembre 2026.')).toBeTruthy()
})

it('adds days to a Prestige that runs', async () => {
  standing = { is_sponsored: true, prestige_expires_at: '2026-12-01T12:00:00Z' }
  const dialog = await open()
  await user.click(await dialog.findByRole('radio', { name: /^7/ }))
  expect(await dialog.findByText('Prolongé du 1er décembre 2026 au 8 décembre 2026.')).toBeTruthy()
})

it('replaces invalid day counts with one day', async () => {
  const dialog = await open()
  const days = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Ou un nombre de jours' })
  for (const typed of ['abc', '0', '-3', '2,5']) {
    await user.clear(days)
    await user.type(days, typed)
    await user.tab()
    expect(days.value).toBe('1')
  }
  await waitFor(() => expect(plain(dialog.getByText('Total').nextSibling?.textContent)).toBe('1,01 €'))
})

it('requires consent before going to checkout', async () => {
  const dialog = await open()
  await user.click(dialog.getByRole('button', { name: ORDER }))
  expect(await dialog.findByText('Cochez cette case pour commander.')).toBeTruthy()
  expect(requestsOf('functions/create-prestige-payment')).toEqual([])
  await user.click(await dialog.findByRole('radio', { name: /^90/ }))
  await user.click(dialog.getByRole('checkbox'))
  await user.click(dialog.getByRole('button', { name: ORDER }))
  await waitFor(() => expect(vi.mocked(goToCheckout).mock.calls[0]?.[0]).toBe('https://pay.example/cs_1'))
  expect(requestsOf('functions/create-prestige-payment').map(({ body }) => body)).toEqual([
    { serverId: SERVER.id, days: 90, language: 'fr', beginsAtOnce: true },
  ])
})

it('keeps the choice when the provider is unavailable', async () => {
  answer = () => refused('provider_unavailable', 503)
  const dialog = await open()
  await user.click(await dialog.findByRole('radio', { name: /^60/ }))
  await user.click(dialog.getByRole('checkbox'))
  await user.click(dialog.getByRole('button', { name: ORDER }))
  expect(await dialog.findByText(/Votre commande est gardée et rien n’est débité/)).toBeTruthy()
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^60/ }).checked).toBe(true)
  expect(goToCheckout).not.toHaveBeenCalled()
})
