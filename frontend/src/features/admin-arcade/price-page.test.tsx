import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { refusal, table, type Answer } from '@/testing/answers'
import { fieldOf, plain, press, refusesField, write } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { ArcadePricePage } from './price-page'

const open = (settings: Answer = table([{ setting_value: '1250' }]), language: 'fr' | 'en' = 'fr') =>
  openPage(<ArcadePricePage />, { site_settings: settings }, { language })

const examples = () => screen.getAllByRole('definition').map(({ textContent }) => plain(textContent))

afterEach(closePage)

it('shows the daily price with example totals', async () => {
  const { requestsOf } = await open()
  await screen.findByRole('form', { name: 'Prix d’une journée' })
  expect(fieldOf('Une journée').value).toBe('12,50')
  expect(examples()).toEqual(['12,50 €', '87,50 €', '375,00 €'])
  expect(requestsOf('site_settings')[0]?.query.get('setting_key')).toBe('eq.arcade_spot_daily_price_cents')
})

it.each([[[]], [[{ setting_value: '12.5' }]], [[{ setting_value: 'free' }]]])(
  'shows the default price for setting %j',
  async (rows) => {
    await open(table(rows))
    await screen.findByRole('form')
    expect(fieldOf('Une journée').value).toBe('10,00')
  },
)

it('updates example prices while typing', async () => {
  await open()
  await screen.findByRole('form')
  await write('Une journée', '0,99')
  expect(examples()).toEqual(['0,99 €', '6,93 €', '29,70 €'])
})

it('saves cents as the setting', async () => {
  const { sentTo, sentOf } = await open()
  await screen.findByRole('form')
  await write('Une journée', '9,9')
  await press('Enregistrer')
  expect(await sentTo('site_settings')).toEqual([
    { setting_key: 'arcade_spot_daily_price_cents', setting_value: '990' },
  ])
  expect(sentOf('site_settings')[0]?.query.get('on_conflict')).toBe('setting_key')
  await toastSays('Tarif enregistré', 'success')
})

it('refuses invalid prices and sends nothing', async () => {
  const { sentOf } = await open()
  await screen.findByRole('form')
  for (const price of ['0', '', '1,005', '10 000,01', 'dix']) {
    await write('Une journée', price)
    await press('Enregistrer')
    await refusesField('Une journée', 'Plus de 0, 10 000,00 € au maximum.')
  }
  expect(sentOf('site_settings')).toEqual([])
})

it('keeps what was typed where it is refused', async () => {
  await open(table([{ setting_value: '1250' }], refusal('42501', 403)))
  await screen.findByRole('form')
  await write('Une journée', '15')
  await press('Enregistrer')
  expect(await screen.findByText('Vous n’avez pas les droits nécessaires.')).toBeTruthy()
  expect(fieldOf('Une journée').value).toBe('15,00')
})

it('says that the price could not be read', async () => {
  await open(refusal('57014', 500))
  expect(await screen.findByText('Impossible de charger le tarif.')).toBeTruthy()
})
