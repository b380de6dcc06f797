import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, persona, refused, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import { AddServerPage } from './add-page'
import type { CardDraft } from './model/card-draft'

vi.mock('@/components/rich-text/rich-text-field', async () => {
  const { TextareaField } = await import('@/components/form/textarea-field')
  return { RichTextField: TextareaField }
})

const user = userEvent.setup()
const SLOTS = { base_limit: 3, bonus: 1, total_limit: 4, used: 1, visible: 1, available: 3 }
const GAME = {
  id: 'a9d2b8de-0000-4000-8000-000000000009',
  name: 'Rust',
  slug: 'rust',
  page_slug: 'rust',
  logo_url: null,
  nickname_pattern: null,
  game_figures: { servers: 41 },
}
const ADDED = { id: 's', slug: 'loupgarde', name: 'Loup &amp; Garde', is_approved: true, is_hidden: false, games: GAME }
let added: () => Response

const draw = ({ values, place, game }: CardDraft) => `${values.name} n° ${place} ${game?.name ?? ''}`

async function open(known: Record<string, Answer> = {}) {
  const requests = answers({
    ...persona('player'),
    'rpc/get_my_server_slots': SLOTS,
    'rpc/log_security_event': () => new Response(null, { status: 204 }),
    'functions/social-media-notify': { success: true, sent: false },
    games: [GAME],
    server_tags: [{ name: 'PvP', color: '#EF4444', name_fr: 'PvP', name_en: 'PvP', name_es: 'PvP' }],
    servers: () => added(),
    ...known,
  })
  await signInAsAda()
  await renderPage(<AddServerPage preview={draw} />)
  return requests
}

beforeEach(() => {
  localStorage.clear()
  added = () => Response.json(ADDED, { status: 201 })
})
afterEach(async () => {
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

const name = () => screen.findByLabelText('Nom du serveur')
async function chooseGame(game: string) {
  await user.type(await screen.findByRole('combobox', { name: 'Jeu' }), game.slice(0, 3))
  await user.click(await screen.findByRole('option', { name: new RegExp(`^${game}`) }))
}
const submit = () => user.click(screen.getByRole('button', { name: 'Ajouter mon serveur' }))

it('shows free slots and a live preview', async () => {
  await open()
  expect(await screen.findByText('3 emplacements disponibles')).toBeTruthy()
  await user.type(await name(), 'Loup')
  await chooseGame('Rust')
  expect(await screen.findByText('Loup n° 42 Rust')).toBeTruthy()
})

it('offers no form where no slot is left', async () => {
  await open({ 'rpc/get_my_server_slots': { ...SLOTS, used: 4, available: 0 } })
  expect(await screen.findByRole('heading', { name: 'Vous avez atteint le nombre maximal de serveurs' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Ajouter mon serveur' })).toBeNull()
})

it('creates, logs and announces a server', async () => {
  const { requestsOf } = await open()
  await user.type(await name(), 'Loup & Garde')
  await chooseGame('Rust')
  await submit()
  expect(await screen.findByRole('heading', { level: 1, name: /^Serveur ajouté/ })).toBeTruthy()
  expect(screen.getByText('Il est dès maintenant visible dans le classement.')).toBeTruthy()
  expect(requestsOf('servers').find(({ method }) => method === 'POST')?.body).toMatchObject({
    name: 'Loup & Garde',
    game_id: GAME.id,
    owner_id: ADA.id,
    version: null,
    tags: [],
  })
  await waitFor(() =>
    expect(requestsOf('functions/social-media-notify')[0]?.body).toEqual({ serverId: 's', userLanguage: 'fr' }),
  )
  expect(requestsOf('rpc/log_security_event')[0]?.body).toMatchObject({ p_event_type: 'server_created' })
})

it('unapproved server is shown pending, not announced', async () => {
  added = () => Response.json({ ...ADDED, is_approved: false }, { status: 201 })
  const { requestsOf } = await open()
  await user.type(await name(), 'Loup')
  await chooseGame('Rust')
  await submit()
  expect(await screen.findByText(/en attente d’approbation/)).toBeTruthy()
  expect(requestsOf('functions/social-media-notify')).toEqual([])
})

it.each([
  [
    '23505',
    409,
    'duplicate key value violates unique constraint "servers_game_name_key"',
    /nom ou cette adresse IP existe déjà/,
  ],
  ['23514', 400, 'Invalid server name - must be 3-100 characters', /Nom de serveur invalide/],
])('shows refusal %s beside its field', async (code, status, message, words) => {
  added = () => refused(code, status, { message })
  const { requestsOf } = await open()
  const field = await name()
  await user.type(field, 'Loup')
  await chooseGame('Rust')
  await submit()
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getAllByText(words).length).toBeGreaterThan(0)
  expect((field as HTMLInputElement).value).toBe('Loup')
  expect(requestsOf('rpc/log_security_event')[0]?.body).toMatchObject({ p_event_type: 'server_creation_failed' })
})

it.each([
  ['P0001', 400, { details: 'server_limit_reached' }, 'Vous avez atteint le nombre maximal de serveurs.'],
  ['23502', 400, {}, 'Remplissez tous les champs obligatoires.'],
  ['42501', 403, {}, 'Vous n’avez pas les droits nécessaires.'],
  ['XX000', 500, {}, 'Une erreur s’est produite lors de l’ajout du serveur.'],
])('shows a message for general refusal %s', async (code, status, fields, words) => {
  added = () => refused(code, status, fields)
  await open()
  await user.type(await name(), 'Loup')
  await chooseGame('Rust')
  await submit()
  expect(await screen.findByText(words)).toBeTruthy()
})

it('untouched form lists its missing fields', async () => {
  const { requestsOf } = await open()
  const field = await name()
  await submit()
  const summary = await screen.findByRole('group', { name: '2 champs sont à corriger' })
  expect(within(summary).getByRole('button', { name: 'Jeu' })).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field)
  expect(requestsOf('servers')).toEqual([])
})

it('success view scrolls up and focuses its heading', async () => {
  await open()
  await user.type(await name(), 'Loup & Garde')
  await chooseGame('Rust')
  const moved = vi.spyOn(window, 'scrollTo')
  await submit()
  const heading = await screen.findByRole('heading', { level: 1, name: /^Serveur ajouté/ })
  expect(document.activeElement).toBe(heading)
  expect(moved).toHaveBeenCalledWith(0, 0)
})

it('judges before it sends', async () => {
  const { requestsOf } = await open()
  await user.type(await name(), 'ab')
  await user.type(screen.getByLabelText(/^Adresse IP/), '1.2.3.400')
  await submit()
  const summary = await screen.findByRole('group', { name: '3 champs sont à corriger' })
  expect(within(summary).getByText('Format d’adresse IP invalide')).toBeTruthy()
  expect(requestsOf('servers')).toEqual([])
})
