import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refusal, table, type Answer } from '@/testing/answers'
import {
  actionsOf,
  actOn,
  cellsOf,
  dialogCloses,
  fieldOf,
  openDialog,
  openQuestion,
  plain,
  press,
  refusesField,
  rowOf,
  user,
  write,
} from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import { ContestsPage } from './contests-page'

const contest = (id: string, name: string, rest: object = {}) => ({
  id,
  name,
  name_en: null,
  name_es: null,
  description: 'Une coupe.',
  description_en: null,
  description_es: null,
  start_date: '2026-11-01T08:00:00+00:00',
  end_date: '2026-12-10T08:00:00+00:00',
  is_active: true,
  is_finished: false,
  is_success: null,
  total_votes: null,
  target_votes: 12000,
  winner_count: 3,
  prestige_days: 7,
  game_ids: [],
  updated_at: '2026-11-02T08:00:00+00:00',
  ...rest,
})
const ROWS = [
  contest('c1', 'Coupe'),
  contest('c2', 'Ruée', { end_date: '2026-11-10T08:00:00+00:00', game_ids: ['g1', 'gone'], winner_count: 1 }),
  contest('c3', 'Finale', { is_finished: true, total_votes: 9000 }),
  contest('c4', 'Secrète', { is_active: false, start_date: '2026-12-01T08:00:00+00:00' }),
]
const GAMES = [
  { id: 'g1', name: 'Rust', game_figures: null },
  { id: 'g2', name: 'Ark', game_figures: null },
]

async function open(known: Record<string, Answer> = {}, path = '/admin/competitive-events') {
  const page = await openPage(
    <ContestsPage />,
    { competitive_events: table(ROWS, [{ id: 'c1' }]), games: GAMES, ...known },
    { path },
  )
  return page
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-26T12:00:00Z') })
})
afterEach(closePage)

it('lists each contest with status, games and prizes', async () => {
  await open()
  await screen.findByText('Rust, …')
  expect((await cellsOf('Coupe')).slice(0, 7)).toEqual([
    'Coupe',
    'En cours',
    '1er nov. 2026',
    '10 déc. 2026',
    'Tous les jeux',
    '12 000',
    '7 jours de Prestige aux 3 premiers',
  ])
  expect((await cellsOf('Ruée')).slice(1, 7)).toEqual([
    'À clore',
    '1er nov. 2026',
    '10 nov. 2026',
    'Rust, …',
    '12 000',
    '7 jours de Prestige au premier',
  ])
  expect((await cellsOf('Finale'))[5]).toBe('9 000 sur 12 000')
  expect((await cellsOf('Secrète'))[1]).toBe('Masqué')
})

it('links only to pages of visible contests', async () => {
  await open()
  expect(within(await rowOf('Coupe')).getByRole('link', { name: 'Coupe' })).toBeTruthy()
  expect(within(await rowOf('Secrète')).queryByRole('link')).toBeNull()
})

const NOW = '2026-11-26T12:00:00.000Z'
it.each([
  ['upcoming', { start_date: `gt.${NOW}` }],
  ['live', { start_date: `lte.${NOW}`, end_date: `gt.${NOW}`, is_finished: 'is.false' }],
  ['due', { end_date: `lte.${NOW}`, is_finished: 'is.false' }],
  ['ended', { is_finished: 'is.true' }],
  ['hidden', { is_active: 'is.false' }],
])('asks for contests that are %s', async (state, expected) => {
  const { lastQuery } = await open({}, `/admin/competitive-events?state=${state}&q=co`)
  await rowOf('Coupe')
  expect(Object.fromEntries(lastQuery('competitive_events') ?? [])).toMatchObject({ ...expected, name: 'ilike.%co%' })
})

it.each([
  ['Coupe', ['Modifier', 'Voir la page', 'Supprimer']],
  ['Ruée', ['Modifier', 'Clore et attribuer les récompenses', 'Voir la page', 'Supprimer']],
  ['Finale', ['Voir la page', 'Supprimer']],
])('offers for %s what fits how it stands', async (name, offered) => {
  await open()
  await rowOf(name)
  expect((await actionsOf(name)).map(({ textContent }) => textContent)).toEqual(offered)
})

it('disables the page link for hidden contests', async () => {
  await open()
  const items = await actionsOf('Secrète')
  const way = items.find(({ textContent }) => textContent === 'Voir la page')
  expect(way?.getAttribute('aria-disabled')).toBe('true')
})

it('goes to the page of a contest', async () => {
  await open()
  await actOn('Coupe', 'Voir la page')
  await waitFor(() => expect(shownAddress()).toMatch(/c1$/))
})

it('creates a contest in the site’s time zone', async () => {
  const { sentTo, sentOf } = await open()
  await press('Créer un événement')
  const { dialog, getByRole } = await openDialog('Nouvel événement')
  await write('Nom', ' Coupe d’hiver ', dialog)
  await write('Début', '2026-12-01T10:00', dialog)
  await write('Fin', '2026-12-20T10:00', dialog)
  await write('Objectif (votes)', '1 000', dialog)
  await user.click(getByRole('checkbox', { name: 'Ark' }))
  await press('Enregistrer', dialog)
  expect(await sentTo('competitive_events')).toEqual([
    {
      name: 'Coupe d’hiver',
      name_en: null,
      name_es: null,
      description: null,
      description_en: null,
      description_es: null,
      start_date: '2026-12-01T09:00:00.000Z',
      end_date: '2026-12-20T09:00:00.000Z',
      target_votes: 1000,
      winner_count: 3,
      prestige_days: 7,
      game_ids: ['g2'],
      is_active: true,
    },
  ])
  expect(sentOf('competitive_events')[0]?.method).toBe('POST')
  await toastSays('Événement créé', 'success')
  await dialogCloses()
})

it('judges each rule beside its field', async () => {
  const { sentOf } = await open()
  await press('Créer un événement')
  const { dialog } = await openDialog()
  await write('Début', '2026-12-20T10:00', dialog)
  await write('Fin', '2026-12-20T10:00', dialog)
  await write('Nombre de gagnants', '101', dialog)
  await write('Jours de Prestige par gagnant', '0', dialog)
  await press('Enregistrer', dialog)
  for (const [label, words] of [
    ['Nom', 'Ce champ est obligatoire.'],
    ['Fin', 'La fin doit venir après le début.'],
    ['Objectif (votes)', 'Saisissez un nombre.'],
    ['Nombre de gagnants', '100 au maximum.'],
    ['Jours de Prestige par gagnant', '1 au minimum.'],
  ] as const)
    await refusesField(label, words, dialog)
  expect(sentOf('competitive_events')).toEqual([])
})

it('changes what still is as it was shown', async () => {
  const { sentTo, sentOf } = await open()
  await actOn('Coupe', 'Modifier')
  const { dialog, getByRole } = await openDialog('Modifier l’événement')
  expect(fieldOf('Début', dialog).value).toBe('2026-11-01T09:00')
  await user.click(getByRole('switch', { name: 'Annoncé' }))
  await press('Enregistrer', dialog)
  const [sent] = await sentTo('competitive_events')
  expect(sent).toMatchObject({ name: 'Coupe', description: 'Une coupe.', is_active: false })
  const query = sentOf('competitive_events')[0]?.query
  expect([query?.get('id'), query?.get('updated_at')]).toEqual(['eq.c1', 'eq.2026-11-02T08:00:00+00:00'])
  await toastSays('Événement modifié', 'success')
})

it('reports a concurrent change when saving', async () => {
  await open({ competitive_events: table(ROWS, []) })
  await actOn('Coupe', 'Modifier')
  const { dialog, findByText } = await openDialog()
  await press('Enregistrer', dialog)
  expect(await findByText(/^Quelqu’un d’autre vient de modifier cet événement/)).toBeTruthy()
})

it('asks before a contest goes with its result', async () => {
  const { sentOf } = await open()
  await actOn('Finale', 'Supprimer')
  const { question } = await openQuestion('Supprimer l’événement Finale ?')
  expect(sentOf('competitive_events')).toEqual([])
  await press('Supprimer', question)
  await toastSays('Événement supprimé', 'success')
  expect(sentOf('competitive_events')[0]?.query.get('id')).toBe('eq.c3')
})

const finalise = async (answer: Answer) => {
  const page = await open({ 'rpc/finalize_competitive_event': answer })
  await actOn('Ruée', 'Clore et attribuer les récompenses')
  return { ...page, ...(await openDialog('Clore Ruée ?')) }
}

it.each([
  [true, 'Objectif atteint, récompenses attribuées'],
  [false, 'Objectif manqué, aucune récompense'],
])('explains finalization and shows its outcome (%s)', async (is_success, words) => {
  const { dialog, sentTo, getByText, findByText, queryByRole, getByRole } = await finalise([
    { is_success, total_votes: 12345, rewarded_servers: 1 },
  ])
  expect(
    getByText((text) => plain(text).startsWith('Si les dix premiers ont réuni 12 000 votes, le premier')),
  ).toBeTruthy()
  await press('Clore l’événement', dialog)
  expect(await sentTo('rpc/finalize_competitive_event')).toEqual([{ p_event_id: 'c2' }])
  expect(await findByText(words)).toBeTruthy()
  expect(getByText((text) => plain(text) === '12 345')).toBeTruthy()
  // An event can be finalized only once.
  expect(queryByRole('button', { name: 'Clore l’événement' })).toBeNull()
  expect(getByRole('link', { name: 'Voir la page' }).getAttribute('href')).toMatch(/c2$/)
})

it.each([
  ['already_finished', 'Quelqu’un d’autre, ou le site, vient de le clore.'],
  ['not_ended', 'Il n’est pas encore terminé.'],
])('says why it was not ended: %s', async (details, words) => {
  const { dialog, getByRole } = await finalise(refusal('P0001', 400, { details }))
  await press('Clore l’événement', dialog)
  await toastSays('Impossible de clore l’événement', 'danger', words)
  expect(getByRole('button', { name: 'Clore l’événement' })).toBeTruthy()
})

it('ends nothing that is answered with no', async () => {
  const { dialog, sentOf } = await finalise([])
  await press('Annuler', dialog)
  await dialogCloses()
  expect(sentOf('rpc/finalize_competitive_event')).toEqual([])
})
