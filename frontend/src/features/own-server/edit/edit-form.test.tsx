import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, persona, type ApiRequest } from '@/testing/answers'
import { ObserverOfAll } from '@/testing/intersection-observer'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import { EMPTY } from '../model/server-form'
import { BasicTab } from './basic-tab'
import { DeleteTab } from './delete-tab'
import { EditLayout } from './edit-layout'

vi.mock('@/components/rich-text/rich-text-field', async () => {
  const { TextareaField } = await import('@/components/form/textarea-field')
  return { RichTextField: TextareaField }
})

const user = userEvent.setup()
const ID = 'a9d2b8de-0000-4000-8000-000000000001'
const FIRST = '2026-01-01T00:00:00.000001+00:00'
const LATER = '2026-01-02T00:00:00+00:00'
const ROW = {
  ...EMPTY,
  id: ID,
  slug: 'loup',
  name: 'Loup',
  game_id: 'g',
  ip_address: 'N/A',
  owner_id: ADA.id,
  is_approved: true,
  is_hidden: false,
  hidden_reason: null as string | null,
  moderation_reason: null as string | null,
  is_sponsored: false,
  prestige_expires_at: null,
  updated_at: FIRST,
  games: { id: 'g', name: 'Rust', slug: 'rust', page_slug: 'rust', logo_url: null },
}
let row: typeof ROW
let removed: unknown

/** A server that is updated only if its version is unchanged. */
function server({ method, query, body }: ApiRequest): Response {
  if (method === 'GET') return Response.json(row)
  if (method === 'DELETE') return Response.json((removed = row))
  if (query.get('updated_at') !== `eq.${row.updated_at}`) return Response.json(null)
  row = { ...row, ...(body as object), updated_at: `${row.updated_at}+` }
  return Response.json(row)
}

beforeEach(async () => {
  localStorage.clear()
  row = ROW
  answers({
    ...persona('owner'),
    servers: (request: ApiRequest) => server(request),
    servers_managed: (request: ApiRequest) => server(request),
    servers_public: { game_rank: 3 },
    'rpc/set_server_visibility': () => {
      row = { ...row, is_hidden: !row.is_hidden, hidden_reason: 'owner' }
      return new Response(null, { status: 204 })
    },
    games: [{ id: 'g', name: 'Rust', slug: 'rust', page_slug: 'rust', logo_url: null, game_figures: null }],
    server_tags: [],
  })
  await signInAsAda()
})
afterEach(async () => {
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

const open = () =>
  renderPage(
    <EditLayout id={ID} tab="basic">
      {(props) => <BasicTab {...props} preview={({ values, place }) => `${values.name} n° ${place}`} />}
    </EditLayout>,
  )
const name = () => screen.findByLabelText<HTMLInputElement>('Nom du serveur')
const save = () => user.click(screen.getByRole('button', { name: 'Enregistrer' }))

async function rename(to: string): Promise<void> {
  const field = await name()
  await user.clear(field)
  await user.type(field, to)
}

it('saves consecutive changes without a conflict', async () => {
  await open()
  await rename('Loup II')
  await save()
  await waitFor(() => expect(row.name).toBe('Loup II'))
  expect(await screen.findByText('Tout est enregistré')).toBeTruthy()
  await rename('Loup III')
  await save()
  await waitFor(() => expect(row.name).toBe('Loup III'))
})

it('shows the preview card before any edit', async () => {
  vi.stubGlobal('IntersectionObserver', ObserverOfAll)
  await open()
  expect(await screen.findByText('Loup n° 3')).toBeTruthy()
  expect(screen.queryByText('Votre carte apparaîtra ici dès que vous écrirez.')).toBeNull()
})

it('reports a concurrent edit before overwriting it', async () => {
  await open()
  await rename('Mine')
  row = { ...row, name: 'Theirs', updated_at: LATER }
  await save()
  expect(await screen.findByText('Ce serveur a changé entre-temps')).toBeTruthy()
  expect(screen.getByText('Theirs', { selector: 'dd' })).toBeTruthy()
  expect((await name()).value).toBe('Mine')
  expect(row.name).toBe('Theirs')
  await user.click(screen.getByRole('button', { name: 'Enregistrer ma version' }))
  await waitFor(() => expect(row.name).toBe('Mine'))
})

it('accepts the stored value, keeping other edits', async () => {
  await open()
  await rename('Mine')
  await user.type(screen.getByLabelText(/^Version/), '1.21')
  row = { ...row, name: 'Theirs', updated_at: LATER }
  await save()
  await user.click(await screen.findByRole('button', { name: 'Reprendre la version enregistrée' }))
  expect((await name()).value).toBe('Theirs')
  await save()
  await waitFor(() => expect(row).toMatchObject({ name: 'Theirs', version: '1.21' }))
})

it('asks nobody where another part was saved meanwhile', async () => {
  await open()
  await rename('Mine')
  row = { ...row, video_url: 'https://youtu.be/dQw4w9WgXcQ', updated_at: LATER }
  await save()
  await waitFor(() => expect(row).toMatchObject({ name: 'Mine', video_url: 'https://youtu.be/dQw4w9WgXcQ' }))
  expect(screen.queryByText('Ce serveur a changé entre-temps')).toBeNull()
})

it('hides and shows servers except moderated ones', async () => {
  await open()
  await user.click(await screen.findByRole('button', { name: 'Masquer' }))
  expect(await screen.findByRole('button', { name: 'Afficher' })).toBeTruthy()
  cleanup()
  row = { ...ROW, is_hidden: true, hidden_reason: 'bonus_expired' }
  await open()
  expect(await screen.findByRole('button', { name: 'Afficher' })).toBeTruthy()
  cleanup()
  row = { ...ROW, is_hidden: true, hidden_reason: 'moderation' }
  await open()
  expect(await screen.findByText('Masqué par la modération')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Afficher' })).toBeNull()
})

it('shows not found to non-owners', async () => {
  row = { ...ROW, owner_id: 'a1000000-0000-4000-8000-000000000009' }
  await open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Serveur introuvable' })).toBeTruthy()
})

it('deletes a server once its name is typed', async () => {
  removed = undefined
  await renderPage(
    <EditLayout id={ID} tab="delete">
      {(props) => <DeleteTab {...props} />}
    </EditLayout>,
  )
  const typed = await screen.findByLabelText(/Saisissez/)
  await user.type(typed, 'Loupe')
  await user.click(screen.getByRole('button', { name: 'Supprimer définitivement' }))
  expect(await screen.findByText('Ce n’est pas le nom du serveur.')).toBeTruthy()
  expect(removed).toBeUndefined()
  await user.clear(typed)
  await user.type(typed, ' loup ')
  await user.click(screen.getByRole('button', { name: 'Supprimer définitivement' }))
  await waitFor(() => expect(removed).toMatchObject({ id: ID }))
})
