/** The tabs of a server: access, visibility, and the benefits of Prestige. */
import { act, renderHook, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { closePrestigeDialog, usePrestigeDialog } from '@/entities/prestige/dialog'
import { done, refusal, refused, type Answer } from '@/testing/answers'
import { fieldOf, plain, press, user } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { ADA } from '@/testing/sign-in'
import type { OwnServer } from '../api/own-server'
import { SlotsPanel } from '../components/slots-panel'
import { EMPTY } from '../model/server-form'
import { EditLayout } from './edit-layout'
import { PrestigeTab } from './prestige-tab'

const ID = 'a9d2b8de-0000-4000-8000-000000000001'
const ROW = {
  ...EMPTY,
  id: ID,
  slug: 'loup',
  name: 'Loup &amp; Garde',
  game_id: 'g',
  owner_id: ADA.id,
  is_approved: true,
  is_hidden: false,
  hidden_reason: null,
  moderation_reason: null,
  is_sponsored: false,
  prestige_expires_at: null,
  shows_prestige: true,
  custom_color: null,
  updated_at: '2026-01-01T00:00:00+00:00',
  games: { id: 'g', name: 'Rust', slug: 'rust', page_slug: 'rust', logo_url: null },
}
const UNTIL = '2099-12-24T12:00:00Z'

const layout = (
  <EditLayout id={ID} tab="basic">
    {() => <p>Le formulaire</p>}
  </EditLayout>
)
const open = (row: object, known: Record<string, Answer> = {}, as: 'owner' | 'admin' = 'owner') =>
  openPage(layout, { servers_managed: { ...ROW, ...row }, ...known }, { as })
const prestige = (row: object, known: Record<string, Answer> = {}, path = '/') =>
  openPage(<PrestigeTab server={{ ...ROW, ...row } as unknown as OwnServer} userId={ADA.id} />, known, { path })

afterEach(async () => {
  act(closePrestigeDialog)
  await closePage()
})

it('links to every tab of the editor', async () => {
  await open({})
  expect(await screen.findByRole('heading', { level: 1, name: 'Loup & Garde' })).toBeTruthy()
  const tabs = [...screen.getByRole('navigation', { name: 'Parties de la fiche' }).querySelectorAll('a')]
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    'Informations',
    'Événements',
    'Médias et tags',
    'Intégrations',
    'Prestige',
    'Supprimer',
  ])
  await waitFor(() => expect(document.title).toBe('Informations · Loup & Garde'))
})

it.each([
  [{}, 'Visible', 'Masquer'],
  [{ is_hidden: true, hidden_reason: 'owner' }, 'Masqué', 'Afficher'],
  [{ is_approved: false }, 'En attente d’approbation', null],
  [{ is_hidden: true, hidden_reason: 'moderation' }, 'Masqué par la modération', null],
  [{ is_hidden: true, hidden_reason: 'game_closed' }, 'Masqué : jeu retiré du site', null],
  [{ is_hidden: true, hidden_reason: 'bonus_expired' }, 'Masqué : Prestige terminé', 'Afficher'],
])('shows visibility state and action of %j', async (row, state, action) => {
  await open(row)
  expect(await screen.findByText((text) => plain(text) === state)).toBeTruthy()
  for (const name of ['Masquer', 'Afficher'])
    expect([name, screen.queryByRole('button', { name }) !== null]).toEqual([name, name === action])
})

it('says why a server stays hidden', async () => {
  await open(
    { is_hidden: true, hidden_reason: 'owner' },
    { 'rpc/set_server_visibility': refusal('P0001', 400, { details: 'server_limit_reached' }) },
  )
  await press('Afficher')
  await toastSays('Impossible de modifier la visibilité', 'danger')
  expect(screen.getByRole('button', { name: 'Afficher' })).toBeTruthy()
})

it('says what was decided of it', async () => {
  await open({ is_hidden: true, hidden_reason: 'moderation', moderation_reason: 'Copie d’un autre' })
  expect(
    await screen.findByText((text) => plain(text) === 'Décision des administrateurs : Copie d’un autre'),
  ).toBeTruthy()
})

it('lets administrators edit servers of other owners', async () => {
  await open({ owner_id: 'somebody' }, {}, 'admin')
  expect(await screen.findByText('Le formulaire')).toBeTruthy()
})

it.each([
  ['another owner', { servers_managed: { ...ROW, owner_id: 'somebody' } }],
  ['nobody who may see it', { servers_managed: [] }],
])('is nowhere for %s', async (_, known) => {
  await openPage(layout, known, { as: 'owner' })
  expect(await screen.findByRole('heading', { level: 1, name: 'Serveur introuvable' })).toBeTruthy()
  expect(screen.queryByText('Le formulaire')).toBeNull()
})

it('offers a retry when loading fails', async () => {
  let isDown = true
  await openPage(
    layout,
    { servers_managed: () => (isDown ? refused('57014', 500) : Response.json(ROW)) },
    { as: 'owner' },
  )
  expect(await screen.findByRole('heading', { level: 1, name: 'Impossible de charger ce serveur' })).toBeTruthy()
  isDown = false
  await press('Réessayer')
  expect(await screen.findByText('Le formulaire')).toBeTruthy()
})

it.each([
  [{}, 'Ce serveur n’a pas Prestige.', 'Activer Prestige'],
  [{ prestige_expires_at: '2026-01-10T12:00:00Z' }, 'Prestige terminé le 10 janvier 2026', 'Activer Prestige'],
  [{ is_sponsored: true, prestige_expires_at: UNTIL }, 'Prestige jusqu’au 24 décembre 2099', 'Prolonger Prestige'],
  [
    { is_sponsored: true, prestige_expires_at: UNTIL, shows_prestige: false },
    'Prestige désactivé, jours restants jusqu’au 24 décembre 2099',
    'Prolonger Prestige',
  ],
])('shows Prestige state and purchase action of %j', async (row, state, action) => {
  await prestige(row)
  expect(screen.getByText((text) => plain(text) === state)).toBeTruthy()
  const dialog = renderHook(usePrestigeDialog).result
  await press(action)
  await waitFor(() => expect(dialog.current).toEqual({ id: ID, name: 'Loup & Garde' }))
})

it('says that a payment was given up', async () => {
  await prestige({}, {}, '/?cancelled=1')
  expect(screen.getByText(/^Paiement interrompu/)).toBeTruthy()
})

const RUNNING = { is_sponsored: true, prestige_expires_at: UNTIL }

it('shows the Prestige switch only with Prestige', async () => {
  await prestige({})
  expect(screen.queryByRole('switch')).toBeNull()
  expect(screen.queryByRole('form', { name: 'Couleur de la page' })).toBeNull()
  await closePage()
  await prestige({ custom_color: '#3B82F6' })
  expect(screen.getByText('Sans Prestige, vous pouvez la retirer mais pas la changer.')).toBeTruthy()
  await closePage()
  await prestige(RUNNING)
  expect(screen.getByRole('switch', { name: 'Afficher Prestige' })).toBeTruthy()
})

it('toggles Prestige optimistically and reverts on refusal', async () => {
  let answer: Response | Promise<Response> = refused('42501', 403)
  const { sentTo, sentOf } = await prestige(RUNNING, { servers: () => answer })
  const control = () => fieldOf('Afficher Prestige')
  await user.click(control())
  await toastSays('Impossible de modifier l’affichage de Prestige', 'danger')
  await waitFor(() => expect(control().checked).toBe(true))
  let give = (_: Response): void => {}
  answer = new Promise((resolve) => (give = resolve))
  await user.click(control())
  await waitFor(() => expect([control().checked, control().disabled]).toEqual([false, true]))
  await act(async () => give(done()))
  expect(await sentTo('servers', 2)).toEqual([{ shows_prestige: false }, { shows_prestige: false }])
  expect(sentOf('servers')[0]?.query.get('id')).toBe(`eq.${ID}`)
  await toastSays('Prestige désactivé', 'success')
})

it('previews the chosen colour in both themes', async () => {
  await prestige(RUNNING)
  expect(screen.queryByRole('group', { name: 'Aperçu de la couleur' })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Rouge' }))
  const preview = await screen.findByRole('group', { name: 'Aperçu de la couleur' })
  expect([...preview.querySelectorAll('figcaption')].map(({ textContent }) => textContent)).toEqual([
    'Thème sombre',
    'Thème clair',
  ])
  await user.click(screen.getByRole('radio', { name: 'Aucune couleur' }))
  expect(screen.queryByRole('group', { name: 'Aperçu de la couleur' })).toBeNull()
})

const SLOTS = { base_limit: 3, bonus: 0, total_limit: 3, used: 1, visible: 1, available: 2 }
it.each([
  [
    SLOTS,
    '2 emplacements disponibles',
    'Utilisés : 1 sur 3 · 1 serveur visible',
    '3 emplacements de base. Chaque serveur Prestige en ajoute un.',
  ],
  [
    { base_limit: 1, bonus: 2, total_limit: 3, used: 3, visible: 2, available: 0 },
    '0 emplacement disponible',
    'Utilisés : 3 sur 3 · 2 serveurs visibles',
    '1 emplacement de base. Chaque serveur Prestige en ajoute un. En ce moment : 2 de plus.',
  ],
])('shows how many servers can be added', async (slots, free, used, tip) => {
  await openPage(<SlotsPanel slots={slots} />, {})
  const text = plain(screen.getByRole('region', { name: 'Vos emplacements' }).textContent)
  for (const words of [free, used, tip]) expect(text).toContain(words)
  const bar = screen.getByRole<HTMLProgressElement>('progressbar')
  expect([bar.value, bar.max]).toEqual([slots.used, 3])
})
