import { waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refusal, table, type Answer } from '@/testing/answers'
import { openDialog, press, refusesField, user, write } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { GiveDialog } from './give-dialog'

const spot = (id: string, position: number, start_date: string, end_date: string, status: string) => ({
  id,
  position,
  start_date,
  end_date,
  status,
  servers: null,
})
const TAKEN = [
  spot('s1', 1, '2026-11-20', '2026-12-02', 'active'),
  spot('s2', 2, '2026-12-10', '2026-12-11', 'paid'),
  spot('s3', 1, '2026-12-20', '2026-12-21', 'suspended'),
]

const open = (known: Record<string, Answer> = {}) =>
  openPage(<GiveDialog onClose={() => undefined} />, { arcade_spots: table(TAKEN), ...known })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-26T12:00:00Z') })
})
afterEach(closePage)

const PICTURE = 'https://partner.example/banner.png'

async function fillGift(pages: Record<string, Answer>) {
  const page = await open(pages)
  const { dialog, getByRole } = await openDialog('Espace sans paiement')
  await user.click(getByRole('radio', { name: 'Gauche' }))
  await user.click(await within(dialog).findByRole('button', { name: /(^| )3 décembre 2026/ }))
  await write('Adresse de l’image', PICTURE, dialog)
  await write('Site ouvert au clic', 'https://partner.example', dialog)
  await press('Créer l’espace', dialog)
  return { ...page, dialog }
}

it('creates an unpaid spot with a copied image', async () => {
  const { sentTo, requestsOf } = await fillGift({ 'functions/copy-picture': { data: { path: '/pictures/copy.webp' } } })
  expect(await sentTo('arcade_spots')).toEqual([
    {
      position: 1,
      start_date: '2026-12-03',
      end_date: '2026-12-03',
      image_url: '/pictures/copy.webp',
      website_url: 'https://partner.example',
      status: 'paid',
    },
  ])
  expect(requestsOf('functions/copy-picture')[0]?.body).toEqual({ address: PICTURE, use: 'arcade' })
  await toastSays('Espace créé', 'success')
})

it('disables booked days but not suspended ones', async () => {
  await open()
  const { dialog, getByRole } = await openDialog()
  await user.click(getByRole('radio', { name: 'Gauche' }))
  const day = async (name: RegExp) => (await within(dialog).findByRole<HTMLButtonElement>('button', { name })).disabled
  await waitFor(async () => expect(await day(/ 2 décembre 2026|^2 décembre 2026/)).toBe(true))
  expect(await day(/(^| )3 décembre 2026/)).toBe(false)
  expect(await day(/(^| )10 décembre 2026/)).toBe(false)
  expect(await day(/(^| )20 décembre 2026/)).toBe(false)
})

it('shows validation errors and sends nothing', async () => {
  const { sentOf } = await open()
  const { dialog, findByText } = await openDialog()
  await write('Site ouvert au clic', 'partner', dialog)
  await press('Créer l’espace', dialog)
  for (const words of ['Choisissez une position.', 'Choisissez des jours.'])
    expect(await findByText(words)).toBeTruthy()
  await refusesField('Adresse de l’image', 'Indiquez l’adresse d’une image.', dialog)
  await refusesField('Site ouvert au clic', 'Saisissez une adresse complète, par exemple https://exemple.fr.', dialog)
  expect(sentOf('arcade_spots')).toEqual([])
})

it('image copy error shows beside its field', async () => {
  const { sentOf, dialog } = await fillGift({ 'functions/copy-picture': refusal('picture_unreachable', 400) })
  await refusesField('Adresse de l’image', 'Impossible de récupérer l’image à cette adresse.', dialog)
  expect(sentOf('arcade_spots')).toEqual([])
})
