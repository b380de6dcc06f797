import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { refusal, table, type Answer } from '@/testing/answers'
import { dialogCloses, fieldOf, openDialog, openQuestion, plain, press, refusesField, write } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { PrestigePricesPage } from './prestige-prices-page'

const STEPS = [
  { min_days: 1, unit_price_cents: 200 },
  { min_days: 2, unit_price_cents: 150 },
  { min_days: 30, unit_price_cents: 99 },
]

const open = (known: Record<string, Answer> = {}, language: 'fr' | 'en' | 'es' = 'fr') =>
  openPage(<PrestigePricesPage />, { prestige_pricing: table(STEPS), ...known }, { language })

const shownSteps = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => plain(textContent))

afterEach(closePage)

it('shows the range and example of each tier', async () => {
  await open()
  const rows = await shownSteps()
  expect(rows[0]).toMatch(/^1 jour2,00 € par jour/)
  expect(rows[1]).toMatch(/^De 2 à 29 jours1,50 € par jour, soit 3,00 € pour 2 jours/)
  expect(rows[2]).toMatch(/^À partir de 30 jours0,99 € par jour, soit 29,70 € pour 30 jours/)
})

it.each([
  ['fr', 'À partir de 1 jour'],
  ['en', '1 day or more'],
  ['es', 'A partir de 1 día'],
] as const)('labels a single tier in %s', async (language, words) => {
  await open({ prestige_pricing: table(STEPS.slice(0, 1)) }, language)
  const [row] = await shownSteps()
  expect(row).toMatch(new RegExp(`^${words}\\D*2[.,]00`))
})

it('adds a price that is not yet there', async () => {
  const { sentTo, sentOf } = await open()
  await press('Ajouter un palier')
  const { dialog } = await openDialog('Nouveau palier')
  expect(document.activeElement).toBe(fieldOf('Nombre minimal de jours', dialog))
  await write('Nombre minimal de jours', '90', dialog)
  await write('Prix par jour', '0,5', dialog)
  await press('Enregistrer', dialog)
  expect(await sentTo('prestige_pricing')).toEqual([{ min_days: 90, unit_price_cents: 50 }])
  expect(sentOf('prestige_pricing')[0]?.method).toBe('POST')
  await toastSays('Tarif enregistré', 'success')
  await dialogCloses()
})

it('judges days and price beside their fields', async () => {
  const { sentOf } = await open()
  await press('Ajouter un palier')
  const { dialog } = await openDialog()
  for (const [days, words] of [
    ['0', '1 au minimum.'],
    ['3651', '3 650 au maximum.'],
    ['1,5', 'Saisissez un nombre entier.'],
  ] as const) {
    await write('Nombre minimal de jours', days, dialog)
    await press('Enregistrer', dialog)
    await refusesField('Nombre minimal de jours', words, dialog)
  }
  for (const price of ['', '-1', '0,005', '10 000,01']) {
    await write('Prix par jour', price, dialog)
    await press('Enregistrer', dialog)
    await refusesField('Prix par jour', 'De 0 à 10 000,00 €.', dialog)
  }
  expect(sentOf('prestige_pricing')).toEqual([])
})

it('reports a duplicate tier beside its field', async () => {
  await open({ prestige_pricing: table(STEPS, refusal('23505', 409)) })
  await press('Ajouter un palier')
  const { dialog } = await openDialog()
  await write('Nombre minimal de jours', '30', dialog)
  await write('Prix par jour', '1', dialog)
  await press('Enregistrer', dialog)
  await refusesField('Nombre minimal de jours', 'Un palier commence déjà à ce nombre de jours.', dialog)
})

it('changes what still is as it was shown', async () => {
  const { sentTo, sentOf } = await open({ prestige_pricing: table(STEPS, [{ min_days: 30 }]) })
  await press('Modifier : À partir de 30 jours')
  const { dialog } = await openDialog('Modifier le palier')
  expect(fieldOf('Prix par jour', dialog).value).toBe('0,99')
  await write('Prix par jour', '0,89', dialog)
  await press('Enregistrer', dialog)
  expect(await sentTo('prestige_pricing')).toEqual([{ min_days: 30, unit_price_cents: 89 }])
  const query = sentOf('prestige_pricing')[0]?.query
  expect([query?.get('min_days'), query?.get('unit_price_cents')]).toEqual(['eq.30', 'eq.99'])
})

it('reports a concurrent change when saving', async () => {
  await open({ prestige_pricing: table(STEPS, []) })
  await press('Modifier : À partir de 30 jours')
  const { dialog, findByText } = await openDialog()
  await press('Enregistrer', dialog)
  expect(await findByText(/^Quelqu’un d’autre vient de modifier ce palier/)).toBeTruthy()
})

it('confirms before deleting a tier', async () => {
  const { sentOf } = await open()
  await press('Supprimer : De 2 à 29 jours')
  const { question, getByText } = await openQuestion('Supprimer le palier « De 2 à 29 jours » ?')
  expect(getByText(/Les commandes déjà passées gardent leur prix/)).toBeTruthy()
  expect(sentOf('prestige_pricing')).toEqual([])
  await press('Supprimer', question)
  await toastSays('Palier supprimé', 'success')
  expect(sentOf('prestige_pricing').map(({ method, query }) => [method, query.get('min_days')])).toEqual([
    ['DELETE', 'eq.2'],
  ])
})

it('keeps the dialog open when deletion fails', async () => {
  await open({ prestige_pricing: table(STEPS, refusal('42501', 403)) })
  await press('Supprimer : De 2 à 29 jours')
  const { question } = await openQuestion()
  await press('Supprimer', question)
  await toastSays('Impossible de supprimer le palier', 'danger', 'Vous n’avez pas les droits nécessaires.')
  expect(screen.getByRole('alertdialog')).toBe(question)
})

it.each([
  [[], 'Aucun palier : personne ne peut acheter Prestige.'],
  [refusal('57014', 500), 'Impossible de charger les tarifs.'],
])('shows the empty state or load error', async (answer, words) => {
  await open({ prestige_pricing: answer })
  expect(await screen.findByText((text) => plain(text) === words)).toBeTruthy()
})
