import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { closeServerAdminDialog } from '@/entities/server/admin-dialog'
import * as files from '@/lib/browser/download'
import { done, refusal, table, type Answer } from '@/testing/answers'
import { actionsOf, actOn, cellsOf, openDialog, press, rowOf } from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import { ServerActHost } from './server-act-host'
import { ServersPage } from './servers-page'

const server = (id: string, name: string, state: string, rest: object = {}) => ({
  id,
  slug: id,
  name,
  ip_address: 'play.example.test',
  is_approved: true,
  is_hidden: false,
  hidden_reason: null,
  refused_at: null,
  moderation_reason: null,
  is_sponsored: false,
  prestige_expires_at: null,
  warnings: 0,
  created_at: '2026-11-01T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  owner_id: 'o1',
  server_state: state,
  monthly_votes: 12345,
  game_name: 'Rust',
  owner_name: 'Olga',
  ...rest,
})
const ROWS = [
  server('shown', 'Loup &amp; Garde', 'shown', { is_sponsored: true, prestige_expires_at: '2099-01-01T00:00:00Z' }),
  server('waiting', 'Neuf', 'waiting', { owner_id: null, owner_name: null, game_name: null, monthly_votes: null }),
  server('refused', 'Faux', 'refused', { moderation_reason: 'Copie d’un autre' }),
  server('suspended', 'Louche', 'suspended'),
  server('hidden', 'Parti', 'hidden', { is_sponsored: true, prestige_expires_at: '2026-01-01T00:00:00Z' }),
]

const open = (known: Record<string, Answer> = {}, path = '/admin/servers') =>
  openPage(
    <>
      <ServersPage />
      <ServerActHost />
    </>,
    { servers_overseen: table(ROWS), servers_of_owners: table(ROWS), games: [{ id: 'g1', name: 'Rust' }], ...known },
    { path },
  )

afterEach(async () => {
  act(closeServerAdminDialog)
  await closePage()
})

it('lists servers with address, owner, state and reason', async () => {
  await open()
  expect((await cellsOf('Loup & Garde')).slice(0, 7)).toEqual([
    'Loup & Gardeplay.example.test',
    'Rust',
    'Olga',
    'VisiblePrestige',
    '12 345',
    '1er nov. 2026',
    '20 nov. 2026',
  ])
  expect((await cellsOf('Neuf')).slice(1, 5)).toEqual(['–', 'Personne', 'En attente', '0'])
  expect((await cellsOf('Faux'))[3]).toBe('RefuséCopie d’un autre')
})

it('shows no Prestige that has ended', async () => {
  await open()
  expect((await cellsOf('Parti'))[3]).toBe('Masqué')
})

it.each([
  ['waiting', { is_approved: 'eq.false', refused_at: 'is.null' }],
  ['refused', { is_approved: 'eq.false', refused_at: 'not.is.null' }],
  ['shown', { is_approved: 'eq.true', is_hidden: 'eq.false' }],
  ['suspended', { is_approved: 'eq.true', is_hidden: 'eq.true', hidden_reason: 'eq.moderation' }],
  ['hidden', { is_approved: 'eq.true', or: '(hidden_reason.is.null,hidden_reason.neq.moderation)' }],
])('queries %s servers by their database columns', async (state, expected) => {
  const { lastQuery } = await open({}, `/admin/servers?state=${state}`)
  await rowOf('Neuf')
  expect(Object.fromEntries(lastQuery('servers_overseen') ?? [])).toMatchObject(expected)
})

it('finds names without their accents, of one game', async () => {
  const { lastQuery } = await open({}, '/admin/servers?name=%C3%89t%C3%A9_&game=g1')
  await rowOf('Neuf')
  const query = lastQuery('servers_overseen')
  expect([query?.get('search_name'), query?.get('game_id')]).toEqual(['like.%ete%', 'eq.g1'])
})

it('owner search reads servers_of_owners instead', async () => {
  const { lastQuery, requestsOf } = await open({}, '/admin/servers?owner=olg')
  await rowOf('Neuf')
  expect(lastQuery('servers_of_owners')?.get('owner_name')).toBe('ilike.%olg%')
  expect(requestsOf('servers_overseen')).toEqual([])
})

it.each([
  ['Loup & Garde', ['Retirer Prestige', 'Changer de propriétaire', 'Suspendre', 'Refuser', 'Supprimer']],
  ['Neuf', ['Approuver', 'Activer Prestige', 'Changer de propriétaire', 'Refuser', 'Supprimer']],
  ['Faux', ['Approuver', 'Activer Prestige', 'Changer de propriétaire', 'Supprimer']],
  ['Louche', ['Rétablir', 'Activer Prestige', 'Changer de propriétaire', 'Refuser', 'Supprimer']],
  ['Parti', ['Activer Prestige', 'Changer de propriétaire', 'Suspendre', 'Refuser', 'Supprimer']],
])('offers for %s what fits how it stands', async (name, offered) => {
  await open()
  const ways = ['Voir la page', 'Modifier', 'Voir les votes', 'Webhooks et envois']
  expect((await actionsOf(name)).map(({ textContent }) => textContent)).toEqual([...ways, ...offered])
})

it.each([
  ['Modifier', /\/(?:edit|modifier).*shown|shown.*(?:edit|modifier)/],
  ['Voir les votes', /^\/admin\/votes\?server=shown$/],
  ['Webhooks et envois', /^\/admin\/webhooks\/shown$/],
  ['Voir la page', /\/shown$/],
])('leads to what "%s" says', async (action, address) => {
  await open()
  await actOn('Loup & Garde', action)
  await waitFor(() => expect(shownAddress()).toMatch(address))
})

it.each([
  ['Neuf', 'Approuver', { p_server_id: 'waiting', p_decision: 'approve', p_seen_state: 'waiting' }, 'est approuvé'],
  ['Louche', 'Rétablir', { p_server_id: 'suspended', p_decision: 'restore', p_seen_state: 'suspended' }, 'est rétabli'],
])('decides for %s at once', async (name, action, sent, words) => {
  const { sentTo } = await open({ 'rpc/judge_server': done })
  await actOn(name, action)
  expect(await sentTo('rpc/judge_server')).toEqual([sent])
  await toastSays(`${name} ${words}`, 'success')
})

it('reports a conflicting decision', async () => {
  await open({ 'rpc/judge_server': refusal('P0001', 400, { details: 'server_decided' }) })
  await actOn('Neuf', 'Approuver')
  const words = 'Quelqu’un d’autre a déjà décidé pour ce serveur. Rechargez la liste.'
  await toastSays('Impossible d’enregistrer la décision', 'danger', words)
})

it.each([
  ['Refuser', 'Refuser « Loup & Garde »'],
  ['Changer de propriétaire', 'Transférer « Loup & Garde » à quelqu’un d’autre'],
])('opens the window for "%s"', async (action, title) => {
  await open()
  await actOn('Loup & Garde', action)
  expect(await openDialog(title)).toBeTruthy()
})

it('exports up to 1000 filtered servers as CSV', async () => {
  const saved = vi.spyOn(files, 'download').mockImplementation(() => undefined)
  const { requestsOf } = await open({}, '/admin/servers?state=shown')
  await rowOf('Neuf')
  await press('Exporter en CSV')
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(String(saved.mock.calls[0]?.[1])).toContain('Loup & Garde;Rust;Olga;shown;12345;')
  const query = requestsOf('servers_overseen').at(-1)?.query
  expect([query?.get('limit'), query?.get('is_hidden')]).toEqual(['1000', 'eq.false'])
})

it('says that servers could not be read', async () => {
  await open({ servers_overseen: refusal('57014', 500) })
  expect(await screen.findByText('Impossible de charger les serveurs.')).toBeTruthy()
})
