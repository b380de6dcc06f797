import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { refusal, refused, table, type Answer } from '@/testing/answers'
import { fieldOf, plain, press, problemOf, user, write } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { SettingsPage } from './settings-page'

const STORED = {
  site_name: 'Palmarès',
  contact_email: 'hello@palmares.test',
  registration_open: true,
  auto_approve_servers: false,
  base_server_limit: 3,
  vote_cooldown_seconds: 7200,
  vote_limit_address_hour: 60,
  vote_limit_address_day: 300,
  vote_limit_network_hour: 60,
  vote_limit_server_minute: 1200,
  prestige_pass_votes_per_day: 1000,
  competitive_event_finalize_after_hours: 24,
  seller_name: 'Palmarès SAS',
  something_else: { kept: true },
}
const rowsOf = (stored: object) =>
  Object.entries(stored).map(([setting_key, value]) => ({ setting_key, setting_value: JSON.stringify(value) }))

async function open(change?: Answer, stored: object = STORED) {
  const page = await openPage(<SettingsPage />, { site_settings: table(rowsOf(stored), change) })
  await screen.findByRole('form', { name: 'Réglages du site' })
  return page
}
const saveBar = () =>
  plain(screen.getByRole('button', { name: 'Enregistrer' }).parentElement?.parentElement?.textContent ?? '')

afterEach(closePage)

it('shows stored settings and defaults', async () => {
  await open()
  expect(fieldOf('Nom du site').value).toBe('Palmarès')
  expect(fieldOf('Délai entre deux votes').value).toBe('7200')
  expect(fieldOf('Inscriptions ouvertes').checked).toBe(true)
  expect(fieldOf('Publier les nouveaux serveurs aussitôt').checked).toBe(false)
  expect(fieldOf('Délai de rétractation').value).toBe('14')
  expect(fieldOf('Nombre de serveurs affiché').value).toBe('0')
})

it('lists missing legal information', async () => {
  await open()
  const missing = within(screen.getByRole('note')).getAllByRole('listitem')
  expect(missing.map(({ textContent }) => textContent)).toEqual([
    'Adresse postale',
    'Numéro fiscal',
    'Directeur de la publication',
    'Hébergeur',
    'Médiateur de la consommation',
  ])
})

it('warns of nothing once all is said', async () => {
  const values = Object.fromEntries(
    ['seller_address', 'seller_tax_id', 'publication_director', 'host_particulars', 'consumer_mediator'].map((key) => [
      key,
      'x',
    ]),
  )
  await open(undefined, { ...STORED, ...values })
  expect(screen.queryByRole('note')).toBeNull()
})

it('saves what changed, and nothing else', async () => {
  const { sentTo, sentOf } = await open()
  expect(saveBar()).toContain('Tout est enregistré')
  await write('Nom du site', ' Classement ')
  await user.click(fieldOf('Inscriptions ouvertes'))
  await write('Délai entre deux votes', '3 600')
  expect(saveBar()).toContain('Modifications non enregistrées')
  await press('Enregistrer')
  expect(await sentTo('site_settings')).toEqual([
    [
      { setting_key: 'site_name', setting_value: '"Classement"' },
      { setting_key: 'registration_open', setting_value: 'false' },
      { setting_key: 'vote_cooldown_seconds', setting_value: '3600' },
    ],
  ])
  expect(sentOf('site_settings')[0]?.query.get('on_conflict')).toBe('setting_key')
  await toastSays('Paramètres sauvegardés', 'success')
})

it('second save sends only the new change', async () => {
  let stored: object = STORED
  const { sentTo } = await openPage(<SettingsPage />, {
    site_settings: (request) => {
      if (request.method === 'GET') return Response.json(rowsOf(stored))
      const rows = request.body as { setting_key: string; setting_value: string }[]
      stored = { ...stored, ...Object.fromEntries(rows.map((row) => [row.setting_key, JSON.parse(row.setting_value)])) }
      return Response.json({})
    },
  })
  await screen.findByRole('form')
  await write('Serveurs par personne', '5')
  await press('Enregistrer')
  await sentTo('site_settings')
  await waitFor(() => expect(saveBar()).toContain('Tout est enregistré'))
  await write('Serveurs par personne', '3')
  await press('Enregistrer')
  const [, second] = await sentTo('site_settings', 2)
  expect(second).toEqual([{ setting_key: 'base_server_limit', setting_value: '3' }])
})

it('sends nothing while nothing is changed', async () => {
  const { sentOf } = await open()
  await press('Enregistrer')
  await write('Nom du site', 'X')
  await press('Annuler')
  expect(fieldOf('Nom du site').value).toBe('Palmarès')
  expect(saveBar()).toContain('Tout est enregistré')
  expect(sentOf('site_settings')).toEqual([])
})

it('error summary links to each invalid field', async () => {
  const { sentOf } = await open()
  for (const [label, text] of [
    ['Nom du site', ' '],
    ['Description', 'x'.repeat(301)],
    ['Délai entre deux votes', '59'],
    ['Délai de rétractation', '13'],
    ['TVA', ''],
  ] as const)
    await write(label, text)
  await press('Enregistrer')
  const summary = await screen.findByRole('group', { name: '5 champs sont à corriger' })
  const lines = within(summary)
    .getAllByRole('listitem')
    .map(({ textContent }) => plain(textContent))
  expect(lines).toEqual([
    'Nom du siteCe champ est obligatoire.',
    'Description300 caractères au maximum.',
    'Délai entre deux votes60 au minimum.',
    'TVASaisissez un nombre.',
    'Délai de rétractation14 au minimum.',
  ])
  await user.click(within(summary).getByRole('button', { name: 'TVA' }))
  expect(document.activeElement).toBe(fieldOf('TVA'))
  await write('TVA', '2000')
  expect(problemOf(fieldOf('TVA'))).toBeNull()
  expect(sentOf('site_settings')).toEqual([])
})

it('shows a save error and keeps the input', async () => {
  await open(refusal('23514', 400))
  await write('Fuseau horaire', 'Mars/Olympus')
  await press('Enregistrer')
  const words = 'Erreur lors de la sauvegarde : une de ces valeurs n’est pas acceptée.'
  expect(await screen.findByText((text) => plain(text) === words)).toBeTruthy()
  expect(fieldOf('Fuseau horaire').value).toBe('Mars/Olympus')
})

it('reloads settings after a failed request', async () => {
  let isDown = true
  await openPage(<SettingsPage />, {
    site_settings: () => (isDown ? refused('57014', 500) : Response.json(rowsOf(STORED))),
  })
  expect(await screen.findByText('Impossible de charger les réglages.')).toBeTruthy()
  isDown = false
  await press('Réessayer')
  await screen.findByRole('form')
})
