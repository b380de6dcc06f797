import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { refusal, table, type Answer } from '@/testing/answers'
import {
  actOn,
  cellsOf,
  fieldOf,
  openDialog,
  openQuestion,
  press,
  refusesField,
  rowOf,
  user,
  write,
} from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { EventTypesPage } from './event-types-page'

const type = (key: string, name: string, rest: object = {}) => ({
  key,
  name_fr: name,
  name_en: `${name} en`,
  name_es: `${name} es`,
  icon: 'trophy',
  color: '#F59E0B',
  is_active: true,
  created_at: '2026-11-20T10:00:00Z',
  ...rest,
})
const ROWS = [type('double_xp', 'Double XP'), type('wipe', 'Wipe', { is_active: false, icon: 'comet' })]

const open = (known: Record<string, Answer> = {}, path = '/admin/event-types', language: 'fr' | 'en' = 'fr') =>
  openPage(<EventTypesPage />, { event_types: table(ROWS), ...known }, { path, language })

afterEach(closePage)

it('lists each type in three languages with status', async () => {
  await open()
  expect(await cellsOf(/^Double XP/)).toEqual(['Double XP', 'Double XP en', 'Double XP es', 'double_xp', 'Proposé', ''])
  expect((await cellsOf(/^Wipe/))[4]).toBe('Retiré')
})

it.each([
  ['?state=retired', { is_active: 'eq.false', order: 'name_fr.asc.nullslast,key.asc' }],
  ['?state=active&sort=-key', { is_active: 'eq.true', order: 'key.desc.nullslast,key.asc' }],
  ['?name=x_p', { name_fr: String.raw`ilike.%x\_p%` }],
])('asks for what %s names', async (search, expected) => {
  const { lastQuery } = await open({}, `/admin/event-types${search}`)
  await rowOf(/^Double XP/)
  expect(Object.fromEntries(lastQuery('event_types') ?? [])).toMatchObject(expected)
})

it('names a type in the page language', async () => {
  await open({}, '/en/admin/event-types', 'en')
  await user.click(await screen.findByRole('button', { name: 'Actions for Double XP en' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  expect(await openDialog(/Double XP en/)).toBeTruthy()
})

it('validates the key before creating a type', async () => {
  const { sentOf, sentTo } = await open()
  await press('Ajouter un type')
  const { dialog, getByRole } = await openDialog('Ajouter un type')
  for (const [index, language] of ['Français', 'English', 'Español'].entries()) {
    await user.click(getByRole('radio', { name: language }))
    await write('Nom affiché', `Nom ${index}`, dialog)
  }
  const shape = '2 à 40 caractères : minuscules sans accent, chiffres ou _, en commençant par une lettre.'
  for (const key of ['', 'x', '2xp', 'Double', 'doublé', 'a'.repeat(41)]) {
    await write('Clé', key, dialog)
    await press('Enregistrer', dialog)
    await refusesField('Clé', shape, dialog)
  }
  expect(sentOf('event_types')).toEqual([])
  await write('Clé', ' triple_xp ', dialog)
  await user.selectOptions(fieldOf('Icône', dialog), 'Flamme')
  await user.click(getByRole('switch', { name: 'Proposé aux propriétaires' }))
  await press('Enregistrer', dialog)
  expect(await sentTo('event_types')).toEqual([
    {
      key: 'triple_xp',
      name_fr: 'Nom 0',
      name_en: 'Nom 1',
      name_es: 'Nom 2',
      icon: 'flame',
      color: '#8B5CF6',
      is_active: false,
    },
  ])
  await toastSays('Type d’événement enregistré', 'success')
})

it('shows a fallback icon and renames a key', async () => {
  const { sentTo, sentOf } = await open()
  await actOn('Wipe', 'Modifier')
  const { dialog } = await openDialog()
  expect(fieldOf('Icône', dialog).value).toBe('calendar')
  await write('Clé', 'fresh_start', dialog)
  await press('Enregistrer', dialog)
  expect(await sentTo('event_types')).toEqual([expect.objectContaining({ key: 'fresh_start', is_active: false })])
  const [request] = sentOf('event_types')
  expect([request?.method, request?.query.get('key')]).toEqual(['PATCH', 'eq.wipe'])
})

it('says beside the key that it is taken', async () => {
  await open({ event_types: table(ROWS, refusal('23505', 409)) })
  await actOn('Wipe', 'Modifier')
  const { dialog } = await openDialog()
  await write('Clé', 'double_xp', dialog)
  await press('Enregistrer', dialog)
  await refusesField('Clé', 'Un type porte déjà cette clé.', dialog)
})

it('says why a kind in use stays', async () => {
  const { sentOf } = await open({ event_types: table(ROWS, refusal('23503', 409)) })
  await actOn('Double XP', 'Supprimer')
  const { question } = await openQuestion(/Double XP/)
  await press('Supprimer', question)
  await toastSays('Impossible de supprimer le type', 'danger', 'Des événements utilisent ce type : retirez-le plutôt.')
  expect(sentOf('event_types').map(({ method, query }) => [method, query.get('key')])).toEqual([
    ['DELETE', 'eq.double_xp'],
  ])
})
