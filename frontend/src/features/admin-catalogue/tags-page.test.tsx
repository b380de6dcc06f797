import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import * as files from '@/lib/browser/download'
import { refusal, refused, table, type Answer } from '@/testing/answers'
import {
  actOn,
  cellsOf,
  dialogCloses,
  fieldOf,
  named,
  openDialog,
  openQuestion,
  press,
  problemOf,
  refusesField,
  rowOf,
  user,
  write,
} from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import { TagsPage } from './tags-page'

const tag = (id: string, name: string, rest: object = {}) => ({
  id,
  name,
  color: '#EF4444',
  description: 'Combats',
  name_fr: `${name} fr`,
  name_en: `${name} en`,
  name_es: `${name} es`,
  description_fr: 'Combats',
  description_en: null,
  description_es: null,
  created_at: '2026-11-20T10:30:00Z',
  updated_at: '2026-11-20T10:30:00Z',
  ...rest,
})
const ROWS = [tag('t1', 'PvP'), tag('t2', 'Survie'), tag('t3', 'Jeu libre, PvE')]

const open = (known: Record<string, Answer> = {}, path = '/admin/tags', language: 'fr' | 'en' = 'fr') =>
  openPage(<TagsPage />, { server_tags: table(ROWS), servers: [], ...known }, { path, language })

afterEach(closePage)

it('lists tags in three languages with creation date', async () => {
  await open()
  expect(await cellsOf('PvP fr')).toEqual(['PvP', 'PvP fr', 'PvP en', 'PvP es', '20 nov. 2026', ''])
})

it('writes the day as English does', async () => {
  await open({}, '/en/admin/tags', 'en')
  expect(within(await rowOf('PvP fr')).getByText('Nov 20, 2026')).toBeTruthy()
})

it('queries tags by the address parameters', async () => {
  const { lastQuery } = await open({}, '/admin/tags?name=p*p_&sort=-created_at&size=50&page=2')
  await rowOf('PvP fr')
  const query = lastQuery('server_tags')
  expect(query?.get('name')).toBe(String.raw`ilike.%p_p\_%`)
  expect(query?.get('order')).toBe('created_at.desc.nullslast,id.asc')
  expect([query?.get('offset'), query?.get('limit')]).toEqual(['50', '50'])
})

it('search updates the address and can be cleared', async () => {
  await open({
    server_tags: ({ query }) =>
      Response.json(query.has('name') ? [] : ROWS, { headers: { 'content-range': query.has('name') ? '*/0' : '*/2' } }),
  })
  await rowOf('PvP fr')
  await user.type(screen.getByRole('searchbox', { name: 'Rechercher' }), ' licorne ')
  await waitFor(() => expect(shownAddress()).toBe('/admin/tags?name=licorne'))
  await press('Effacer les filtres')
  expect(await rowOf('Survie')).toBeTruthy()
  expect(shownAddress()).toBe('/admin/tags')
})

it('retries a failed load and reports no tags', async () => {
  let isDown = true
  await open({ server_tags: () => (isDown ? refused('unavailable', 503) : Response.json([])) })
  expect(await screen.findByText('Impossible de charger les tags.')).toBeTruthy()
  isDown = false
  await press('Réessayer')
  expect(await screen.findByText('Aucun tag pour le moment.')).toBeTruthy()
})

it('creates a tag and reloads the list', async () => {
  const { sentTo, sentOf, requestsOf } = await open()
  await press('Ajouter un tag')
  const { dialog, getByRole } = await openDialog('Ajouter un tag')
  expect(document.activeElement).toBe(fieldOf('Nom de référence', dialog))
  await write('Nom de référence', ' Roleplay ', dialog)
  for (const [language, name] of [
    ['Français', 'Jeu de rôle'],
    ['English', 'Roleplay'],
    ['Español', 'Rol'],
  ] as const) {
    await user.click(
      within(getByRole('radiogroup', { name: named('Langue de : Nom affiché') })).getByRole('radio', {
        name: language,
      }),
    )
    await write('Nom affiché', name, dialog)
  }
  await user.click(getByRole('radio', { name: 'Turquoise' }))
  const before = requestsOf('server_tags').filter(({ method }) => method === 'GET').length
  await press('Enregistrer', dialog)
  expect(await sentTo('server_tags')).toEqual([
    {
      name: 'Roleplay',
      color: '#14B8A6',
      name_fr: 'Jeu de rôle',
      name_en: 'Roleplay',
      name_es: 'Rol',
      description: null,
      description_fr: null,
      description_en: null,
      description_es: null,
    },
  ])
  expect(sentOf('server_tags')[0]?.method).toBe('POST')
  await toastSays('Tag enregistré', 'success')
  await dialogCloses()
  expect(requestsOf('server_tags').filter(({ method }) => method === 'GET').length).toBeGreaterThan(before)
})

it('selects the language with a missing name', async () => {
  const { sentOf } = await open()
  await press('Ajouter un tag')
  const { dialog, getByRole, getAllByText } = await openDialog()
  await write('Nom de référence', 'Roleplay', dialog)
  await write('Nom affiché', 'Jeu de rôle', dialog)
  await press('Enregistrer', dialog)
  await refusesField('Nom affiché', 'Ce champ est obligatoire.', dialog)
  const languages = within(getByRole('radiogroup', { name: named('Langue de : Nom affiché') }))
  expect(languages.getByRole<HTMLInputElement>('radio', { name: /^English/ }).checked).toBe(true)
  expect(getAllByText('à corriger')).toHaveLength(2)
  expect(sentOf('server_tags')).toEqual([])
})

it('judges each text beside its field', async () => {
  const { sentOf } = await open()
  await actOn('PvP', 'Modifier')
  const { dialog } = await openDialog(/^Modifier/)
  await write('Nom de référence', '   ', dialog)
  await write('Nom affiché', 'x'.repeat(31), dialog)
  await write('Description', 'x'.repeat(201), dialog)
  await press('Enregistrer', dialog)
  await refusesField('Nom de référence', 'Ce champ est obligatoire.', dialog)
  await refusesField('Nom affiché', '30 caractères au maximum.', dialog)
  await refusesField('Description', '200 caractères au maximum.', dialog)
  expect(sentOf('server_tags')).toEqual([])
})

it('updates a tag and keeps unchanged fields', async () => {
  const { sentTo, sentOf } = await open()
  await actOn('PvP', 'Modifier')
  const { dialog } = await openDialog()
  expect(fieldOf('Description', dialog).value).toBe('Combats')
  await write('Description', '', dialog)
  await press('Enregistrer', dialog)
  expect(await sentTo('server_tags')).toEqual([
    expect.objectContaining({ name: 'PvP', name_fr: 'PvP fr', description: null, description_fr: null }),
  ])
  const [request] = sentOf('server_tags')
  expect([request?.method, request?.query.get('id')]).toEqual(['PATCH', 'eq.t1'])
})

it('reports a taken name beside its field', async () => {
  await open({ server_tags: table(ROWS, refusal('23505', 409)) })
  await actOn('PvP', 'Modifier')
  const { dialog } = await openDialog()
  await write('Nom de référence', 'Survie', dialog)
  await press('Enregistrer', dialog)
  await refusesField('Nom de référence', 'Un tag porte déjà ce nom.', dialog)
  expect(fieldOf('Nom de référence', dialog).value).toBe('Survie')
  await user.type(fieldOf('Nom de référence', dialog), ' 2')
  expect(problemOf(fieldOf('Nom de référence', dialog))).toBeNull()
})

it('shows a permission error in the dialog', async () => {
  await open({ server_tags: table(ROWS, refusal('42501', 403)) })
  await actOn('PvP', 'Modifier')
  const { dialog, findByText, queryByText } = await openDialog()
  await press('Enregistrer', dialog)
  expect(await findByText('Vous n’avez pas les droits nécessaires.')).toBeTruthy()
  expect(queryByText(/refused by the server/)).toBeNull()
})

it.each([
  [1, '1 serveur l’utilise et le perdra.'],
  [1234, '1 234 serveurs l’utilisent et le perdront.'],
])('shows affected servers before deleting a tag (%i)', async (count, words) => {
  const { sentOf, requestsOf } = await open({
    servers: () => Response.json([], { headers: { 'content-range': `*/${count}` } }),
  })
  await actOn('Jeu libre, PvE', 'Supprimer')
  const { question, findByText } = await openQuestion(/Supprimer/)
  expect(await findByText(named(words))).toBeTruthy()
  expect(requestsOf('servers')[0]?.query.get('tags')).toBe('cs.{"Jeu libre, PvE"}')
  expect(sentOf('server_tags')).toEqual([])
  await press('Supprimer', question)
  await toastSays('Tag supprimé', 'success')
  const [request] = sentOf('server_tags')
  expect([request?.method, request?.query.get('id')]).toEqual(['DELETE', 'eq.t3'])
})

it('asks without a count, stays open when refused', async () => {
  await open({ servers: refusal('57014', 500), server_tags: table(ROWS, refusal('42501', 403)) })
  await actOn('PvP', 'Supprimer')
  const { question, findByText } = await openQuestion(/Supprimer/)
  expect(await findByText('Il disparaîtra du site et de tous les serveurs qui l’utilisent.')).toBeTruthy()
  await press('Supprimer', question)
  await toastSays('Impossible de supprimer le tag', 'danger')
  expect(screen.getByRole('alertdialog')).toBe(question)
})

it('deletes nothing when the question is cancelled', async () => {
  const { sentOf } = await open()
  await actOn('PvP', 'Supprimer')
  const { question } = await openQuestion(/Supprimer/)
  await press('Annuler', question)
  await dialogCloses()
  expect(sentOf('server_tags')).toEqual([])
})

it('exports the filtered tags as CSV', async () => {
  const saved = vi.spyOn(files, 'download').mockImplementation(() => undefined)
  const { requestsOf } = await open({}, '/admin/tags?name=v')
  await rowOf('PvP fr')
  await press('Exporter en CSV')
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(saved.mock.calls[0]?.slice(0, 2)).toEqual([
    'tags.csv',
    '\ufeffTag;Français;English;Español;Ajouté le\r\n' +
      'PvP;PvP fr;PvP en;PvP es;2026-11-20T10:30:00Z\r\n' +
      'Survie;Survie fr;Survie en;Survie es;2026-11-20T10:30:00Z\r\n' +
      'Jeu libre, PvE;Jeu libre, PvE fr;Jeu libre, PvE en;Jeu libre, PvE es;2026-11-20T10:30:00Z\r\n',
  ])
  const query = requestsOf('server_tags').at(-1)?.query
  expect([query?.get('name'), query?.get('limit')]).toEqual(['ilike.%v%', null])
})
