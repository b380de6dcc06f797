import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { answers, refused, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ServerEvents } from './server-events'

const HOUR = 3_600_000
const from = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString()
const event = (id: string, title: string, start: number, end: number) => ({
  id,
  event_type_key: 'tournament',
  title_fr: title,
  title_en: null,
  title_es: null,
  description_fr: null,
  description_en: null,
  description_es: null,
  start_date: from(start),
  end_date: from(end),
  event_types: { name_fr: 'Tournoi', name_en: 'Tournament', name_es: 'Torneo', color: '#EF4444' },
})

const user = userEvent.setup()
let rows: object[]
let write: (request: ApiRequest) => Response
let sent: ApiRequest[]

beforeEach(() => {
  localStorage.clear()
  rows = []
  sent = []
  write = () => new Response(null, { status: 201 })
  answers({
    event_types: [
      { key: 'tournament', name_fr: 'Tournoi', name_en: 'Tournament', name_es: 'Torneo' },
      { key: 'opening', name_fr: 'Ouverture', name_en: 'Opening', name_es: 'Apertura' },
    ],
    server_events: (request) => {
      if (request.method === 'GET') return Response.json(rows)
      sent.push(request)
      return write(request)
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

async function open(props: { isPrestige?: boolean; canDelete?: boolean } = {}) {
  await renderPage(
    <ServerEvents serverId="s1" isPrestige={props.isPrestige ?? true} canDelete={props.canDelete ?? true} />,
  )
}

it('groups events by live, upcoming and ended', async () => {
  rows = [event('a', 'Passé', -9, -8), event('b', 'Coupe &amp; fête', -1, 1), event('c', 'Bientôt', 5, 6)]
  await open()
  const live = within(await screen.findByRole('region', { name: 'En direct' }))
  expect(live.getByText('Coupe & fête')).toBeTruthy()
  expect(within(screen.getByRole('region', { name: 'À venir' })).getByText('Bientôt')).toBeTruthy()
  expect(within(screen.getByRole('region', { name: 'Terminés' })).getByText('Passé')).toBeTruthy()
  expect(screen.queryByText(/tant que votre serveur est en Prestige/)).toBeNull()
})

it('shows Prestige notice and hides forbidden deletion', async () => {
  rows = [event('b', 'Coupe', -1, 1)]
  await open({ isPrestige: false, canDelete: false })
  expect(await screen.findByText(/tant que votre serveur est en Prestige/)).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Modifier Coupe' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Supprimer/ })).toBeNull()
})

it('creates an event and keeps refused input', async () => {
  await open()
  await user.click(await screen.findByRole('button', { name: 'Ajouter un événement' }))
  const form = within(await screen.findByRole('form', { name: 'Nouvel événement' }))
  await user.click(form.getByRole('button', { name: 'Créer l’événement' }))
  expect(await form.findByText('Saisissez un titre dans une langue au moins.')).toBeTruthy()
  await user.type(form.getByLabelText(/^Titre/), 'Coupe d’hiver')
  await user.selectOptions(form.getByLabelText('Type'), 'Tournoi')
  const [start, end] = [form.getByLabelText<HTMLInputElement>('Début'), form.getByLabelText<HTMLInputElement>('Fin')]
  fireEvent.change(start, { target: { value: '2030-12-01T20:00' } })
  fireEvent.change(end, { target: { value: '2030-12-01T19:00' } })
  await user.click(form.getByRole('button', { name: 'Créer l’événement' }))
  expect(await form.findByText('La fin doit être après le début.')).toBeTruthy()
  fireEvent.change(end, { target: { value: '2030-12-01T22:00' } })
  write = () => refused('P0001', 400, { details: 'server_event_limit_reached', hint: '50' })
  await user.click(form.getByRole('button', { name: 'Créer l’événement' }))
  expect(
    await form.findByText('Impossible de créer l’événement. Ce serveur a déjà 50 événements. Supprimez-en un d’abord.'),
  ).toBeTruthy()
  write = () => {
    rows = [event('n', 'Coupe d’hiver', 100, 101)]
    return new Response(null, { status: 201 })
  }
  await user.click(form.getByRole('button', { name: 'Créer l’événement' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Événement créé' }))
  expect(await screen.findByText('Coupe d’hiver')).toBeTruthy()
  expect(sent.at(-1)?.body).toEqual({
    server_id: 's1',
    event_type_key: 'tournament',
    start_date: '2030-12-01T19:00:00.000Z',
    end_date: '2030-12-01T21:00:00.000Z',
    title_fr: 'Coupe d’hiver',
    title_en: null,
    title_es: null,
    description_fr: null,
    description_en: null,
    description_es: null,
  })
})

it('shows a general message for unknown refusals', async () => {
  write = () => refused('XX000', 400)
  rows = [event('b', 'Coupe', -1, 1)]
  await open()
  await user.click(await screen.findByRole('button', { name: 'Modifier Coupe' }))
  const form = within(await screen.findByRole('form', { name: 'Modifier l’événement' }))
  await user.click(form.getByRole('button', { name: 'Enregistrer' }))
  expect(await form.findByText(/^Impossible de modifier l’événement\. ./)).toBeTruthy()
})

it('deletes after asking, by making it inactive only', async () => {
  rows = [event('b', 'Coupe', -1, 1)]
  write = () => {
    rows = []
    return Response.json({ id: 'b' })
  }
  await open()
  await user.click(await screen.findByRole('button', { name: 'Supprimer Coupe' }))
  expect(sent).toEqual([])
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Supprimer' }))
  expect(await screen.findByText('Aucun événement')).toBeTruthy()
  expect(currentToast()).toMatchObject({ tone: 'success', title: 'Événement supprimé' })
  expect(sent.map(({ method, body }) => [method, body])).toEqual([['PATCH', { is_active: false }]])
})
