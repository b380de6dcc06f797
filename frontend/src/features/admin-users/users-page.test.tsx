import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { done, refusal, table, type Answer } from '@/testing/answers'
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
import { ADA } from '@/testing/sign-in'
import { UsersPage } from './users-page'

const person = (id: string, username: string, rest: object = {}) => ({
  id,
  username,
  email: `${username.toLowerCase()}@example.test`,
  role: 'user',
  total_votes: 1234,
  is_banned: false,
  ban_reason: null,
  banned_until: null,
  created_at: '2026-03-01T10:00:00Z',
  ...rest,
})
const ROWS = [
  person('p1', 'Pablo'),
  person('p2', 'Mallory', { is_banned: true, ban_reason: 'Triche', banned_until: '2026-12-24T10:00:00Z' }),
  person('p3', 'Bob', { role: 'admin' }),
  person(ADA.id, 'Ada', { role: 'admin' }),
]
const FOUNDER = { profiles: { role: 'founder', username: 'Ada', servers: [] } }

async function open(known: Record<string, Answer> = {}, path = '/admin/users') {
  const page = await openPage(<UsersPage />, { profiles_overseen: table(ROWS), ...known }, { as: 'admin', path })
  await rowOf('Pablo')
  // The actions depend on the viewer's role, which is known once the profile is read.
  await waitFor(() => expect(document.querySelector('[aria-label="Actions pour Pablo"]')).not.toBeNull())
  return page
}

const canAct = (name: string): boolean => document.querySelector(`[aria-label="Actions pour ${name}"]`) !== null

afterEach(closePage)

it('shows accounts with their role, votes and bans', async () => {
  await open()
  expect((await cellsOf('Pablo')).slice(0, 5)).toEqual([
    'Pablopablo@example.test',
    'Joueur',
    '–',
    '1 234',
    '1er mars 2026',
  ])
  expect((await cellsOf('Mallory'))[2]).toBe('Exclu jusqu’au 24 décembre 2026Triche')
})

it.each([
  ['?role=admin&state=banned', { role: 'eq.admin', is_banned: 'eq.true' }],
  ['?name=_a&sort=-total_votes', { username: String.raw`ilike.%\_a%`, order: 'total_votes.desc.nullslast,id.asc' }],
  ['?role=king&state=free&sort=email', { order: 'created_at.desc.nullslast,id.asc' }],
])('asks for what %s names', async (search, expected) => {
  const { lastQuery } = await open({}, `/admin/users${search}`)
  const query = Object.fromEntries(lastQuery('profiles_overseen') ?? [])
  expect(query).toMatchObject(expected)
  expect(['role' in query, 'is_banned' in query]).toEqual(['role' in expected, 'is_banned' in expected])
})

it('lets an administrator act only on players', async () => {
  await open()
  expect(['Pablo', 'Mallory', 'Bob', 'Ada'].filter(canAct)).toEqual(['Pablo', 'Mallory'])
})

it('lets a founder decide about everybody else', async () => {
  await open(FOUNDER)
  await waitFor(() => expect(canAct('Bob')).toBe(true))
  expect(canAct('Ada')).toBe(false)
})

it.each([
  ['an administrator', {}, ['Joueur', 'Administrateur']],
  ['a founder', FOUNDER, ['Joueur', 'Administrateur', 'Fondateur']],
])('offers the roles that %s may give', async (_, known, roles) => {
  const { sentTo } = await open({ 'rpc/set_user_role': done, ...known })
  await actOn('Pablo', 'Changer le rôle')
  const { dialog } = await openDialog('Rôle de Pablo')
  const field = fieldOf('Rôle', dialog)
  expect([...field.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual(roles)
  await user.selectOptions(field, 'Administrateur')
  await press('Changer le rôle', dialog)
  expect(await sentTo('rpc/set_user_role')).toEqual([{ p_user_id: 'p1', p_role: 'admin' }])
  await toastSays('Rôle de Pablo modifié', 'success')
})

it('ban requires rule, message and valid duration', async () => {
  const { sentTo, sentOf } = await open({ 'rpc/sanction_account': done })
  await actOn('Pablo', 'Exclure')
  const { dialog } = await openDialog('Exclure Pablo')
  await write('Durée en jours', '0', dialog)
  await press('Exclure', dialog)
  await refusesField('Règle', 'Choisissez une option.', dialog)
  await refusesField('Message à la personne', 'Ce champ est obligatoire.', dialog)
  await refusesField('Durée en jours', '1 au minimum.', dialog)
  expect(sentOf('rpc/sanction_account')).toEqual([])
  await user.selectOptions(fieldOf('Règle', dialog), 'Spam ou publicité')
  await write('Message à la personne', 'Trois publicités.', dialog)
  await write('Durée en jours', '14', dialog)
  await press('Exclure', dialog)
  expect(await sentTo('rpc/sanction_account')).toEqual([
    { p_user_id: 'p1', p_sanction: 'ban', p_reason: 'spam', p_statement: 'Trois publicités.', p_days: 14 },
  ])
  await toastSays('Pablo est exclu', 'success')
  await dialogCloses()
})

it('warns without an end', async () => {
  const { sentTo } = await open({ 'rpc/sanction_account': done })
  await actOn('Pablo', 'Avertir')
  const { dialog } = await openDialog('Avertir Pablo')
  await user.selectOptions(fieldOf('Règle', dialog), 'Spam ou publicité')
  await write('Message à la personne', 'Une publicité.', dialog)
  await press('Avertir', dialog)
  const [sent] = await sentTo('rpc/sanction_account')
  expect(sent).toEqual({ p_user_id: 'p1', p_sanction: 'warning', p_reason: 'spam', p_statement: 'Une publicité.' })
  await toastSays('Pablo a reçu un avertissement', 'success')
})

it('says that another administrator was quicker', async () => {
  await open({ 'rpc/sanction_account': refusal('P0001', 400, { details: 'already_banned' }) })
  await actOn('Pablo', 'Exclure')
  const { dialog, findByText } = await openDialog()
  await user.selectOptions(fieldOf('Règle', dialog), 'Spam ou publicité')
  await write('Message à la personne', 'Trois publicités.', dialog)
  await press('Exclure', dialog)
  expect(await findByText('Ce compte est déjà exclu.')).toBeTruthy()
})

it('lifts a ban and reports a failure', async () => {
  let answer: () => Response = refusal('42501', 403)
  const { sentTo } = await open({ 'rpc/unban_user': () => answer() })
  expect((await actionsOf('Mallory')).map(({ textContent }) => textContent)).toEqual([
    'Changer le rôle',
    'Avertir',
    'Lever l’exclusion',
    'Bannir ses adresses',
  ])
  await user.keyboard('{Escape}')
  await actOn('Mallory', 'Lever l’exclusion')
  await toastSays('Action impossible', 'danger', 'Vous n’avez pas les droits nécessaires.')
  answer = done
  await actOn('Mallory', 'Lever l’exclusion')
  expect(await sentTo('rpc/unban_user', 2)).toEqual([{ p_user_id: 'p2' }, { p_user_id: 'p2' }])
  await toastSays('Exclusion de Mallory levée', 'success')
})

const BANS = {
  ip_bans: table([
    { id: 'b1', network: '203.0.113.0/24', reason: 'VPN', expires_at: null, created_at: '2026-11-01T10:00:00Z' },
    { id: 'b2', network: null, reason: null, expires_at: '2026-12-01T10:00:00Z', created_at: '2026-11-02T10:00:00Z' },
  ]),
  refused_nicknames: table([]),
}
const openBans = (known: Record<string, Answer> = {}) =>
  openPage(<UsersPage />, { ...BANS, ...known }, { as: 'admin', path: '/admin/users?view=bans' })

it('lists bans with expiry, hiding hashed addresses', async () => {
  await openBans()
  const rows = (await screen.findAllByRole('listitem')).map(({ textContent }) => plain(textContent))
  expect(rows).toEqual([
    '203.0.113.0/24VPN1er novembre 2026définitifLever',
    'Adresse (empreinte)2 novembre 2026jusqu’au 1er décembre 2026Lever',
  ])
  expect(screen.getByText('Aucun bannissement.')).toBeTruthy()
})

it('leads from accounts to bans and back', async () => {
  await openBans({ profiles_overseen: table(ROWS) })
  await user.click(await screen.findByRole('link', { name: 'Comptes' }))
  expect(await rowOf('Pablo')).toBeTruthy()
  expect(shownAddress()).toBe('/admin/users')
  await user.click(screen.getByRole('link', { name: 'Bannissements' }))
  expect(await screen.findByText('203.0.113.0/24')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Bannissements' }).getAttribute('aria-current')).toBe('page')
})

it.each([
  ['Bannir une plage', 'Plage d’adresses', '198.51.100.0/24', 'ip_bans', 'network'],
  ['Refuser un pseudo', 'Pseudo', 'mal*', 'refused_nicknames', 'pattern'],
])('adds what "%s" is for', async (button, label, subject, name, column) => {
  const { sentTo } = await openBans()
  await press(button)
  const { dialog } = await openDialog(button)
  await press(button, dialog)
  await refusesField(label, 'Ce champ est obligatoire.', dialog)
  await write(label, ` ${subject} `, dialog)
  await write('Durée en jours', '10', dialog)
  await press(button, dialog)
  const [sent] = (await sentTo(name)) as [{ expires_at: string }]
  expect(sent).toMatchObject({ [column]: subject, reason: null })
  expect((Date.parse(sent.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(10, 2)
  await toastSays('Bannissement ajouté', 'success')
})

it.each([
  ['22P02', 'L’une des valeurs n’est pas acceptée.'],
  ['23505', 'Cet élément existe déjà.'],
])('shows the refusal beside the range (%s)', async (code, words) => {
  await openBans({ ip_bans: table([], refusal(code, 400)) })
  await press('Bannir une plage')
  const { dialog } = await openDialog()
  await write('Plage d’adresses', '999.0.0.0/8', dialog)
  await press('Bannir une plage', dialog)
  await refusesField('Plage d’adresses', words, dialog)
})

it('asks before a ban is lifted', async () => {
  const { sentOf } = await openBans({ ip_bans: table([{ id: 'b1', network: '203.0.113.0/24', created_at: '' }]) })
  await press('Lever')
  const { question } = await openQuestion(/203\.0\.113\.0/)
  expect(sentOf('ip_bans')).toEqual([])
  await press('Lever', question)
  await toastSays('Bannissement levé', 'success')
  expect(sentOf('ip_bans').map(({ method, query }) => [method, query.get('id')])).toEqual([['DELETE', 'eq.b1']])
})

it('reports an error when one list fails', async () => {
  await openBans({ refused_nicknames: refusal('57014', 500) })
  expect(await screen.findByText('Impossible de charger les bannissements.')).toBeTruthy()
})
