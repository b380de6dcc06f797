import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import * as files from '@/lib/browser/download'
import { refusal, type Answer } from '@/testing/answers'
import { actOn, cellsOf, press, rowOf } from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import { ReportsPage } from './reports-page'

const report = (id: string, rest: object = {}) => ({
  id,
  server_id: 's1',
  comment_id: null,
  reason: 'spam',
  custom_reason: null,
  status: 'pending',
  resolution_note: null,
  created_at: '2026-11-20T10:00:00Z',
  reporter: { username: 'bob' },
  notice: null,
  servers: { name: 'Loup &amp; Garde', slug: 'loup-garde' },
  reviews: null,
  ...rest,
})
const ROWS = [
  report('r1'),
  report('r2', {
    reason: 'other',
    custom_reason: 'Faux &lt;joueurs&gt;',
    status: 'resolved',
    resolution_note: 'Suspendu',
    reporter: null,
    notice: { name: 'Carole' },
    comment_id: 'v1',
    servers: null,
    reviews: { servers: { name: 'Avalon', slug: 'avalon' } },
  }),
  report('r3', { status: 'dismissed', reporter: null, servers: null }),
]

const open = (known: Record<string, Answer> = {}, path = '/admin/reports') =>
  openPage(<ReportsPage />, { reports: ROWS, moderation_cases: [{ id: 'c7' }], ...known }, { path })

afterEach(closePage)

it('lists reports with subject, reporter and outcome', async () => {
  await open()
  expect((await cellsOf('Loup & Garde')).slice(0, 5)).toEqual([
    'Spam ou publicité',
    'Loup & Garde',
    'bob',
    '20 nov. 2026',
    'En attente',
  ])
  expect((await cellsOf('Carole')).slice(0, 5)).toEqual([
    'Autre motifFaux <joueurs>',
    'Avis sur Avalon',
    'Carole',
    '20 nov. 2026',
    'RetenuSuspendu',
  ])
  expect((await cellsOf('Supprimé')).slice(1, 5)).toEqual(['Supprimé', 'Personne', '20 nov. 2026', 'Sans suite'])
})

it('links a reported review to its server', async () => {
  await open()
  const link = within(await rowOf('Carole')).getByRole('link', { name: 'Avis sur Avalon' })
  expect(link.getAttribute('href')).toMatch(/avalon$/)
})

it.each([
  [
    '?state=pending&reason=spam',
    { status: 'eq.pending', reason: 'eq.spam', order: 'created_at.desc.nullslast,id.asc' },
  ],
  ['?state=open&reason=bad', { order: 'created_at.desc.nullslast,id.asc' }],
])('asks for what %s names', async (search, expected) => {
  const { lastQuery } = await open({}, `/admin/reports${search}`)
  await rowOf('Carole')
  const query = Object.fromEntries(lastQuery('reports') ?? [])
  expect(query).toMatchObject(expected)
  expect('status' in query).toBe('status' in expected)
})

it.each([
  ['Loup & Garde', 'eq.s1'],
  ['Avalon', 'eq.v1'],
])('opens the case of a report about %s', async (name, subject) => {
  const { lastQuery } = await open()
  await actOn(name, 'Ouvrir le dossier')
  await waitFor(() => expect(shownAddress()).toBe('/admin/moderation?case=c7'))
  const query = lastQuery('moderation_cases')
  expect([query?.get('subject_id'), query?.get('order')]).toEqual([subject, 'decided_at.desc.nullsfirst'])
})

it('shows an error for a missing case', async () => {
  await open({ moderation_cases: [] })
  await actOn('Avalon', 'Ouvrir le dossier')
  await toastSays('Ce signalement n’a pas de dossier.', 'danger')
  expect(shownAddress()).toBe('/admin/reports')
})

it('exports reports with unescaped names as CSV', async () => {
  const saved = vi.spyOn(files, 'download').mockImplementation(() => undefined)
  const { requestsOf } = await open()
  await rowOf('Carole')
  await press('Exporter en CSV')
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(String(saved.mock.calls[0]?.[1]).split('\r\n')[1]).toBe('spam;Loup & Garde;bob;2026-11-20T10:00:00Z;pending')
  expect(requestsOf('reports').at(-1)?.query.get('limit')).toBe('1000')
})

it.each([
  [[], 'Aucun signalement pour le moment.'],
  [refusal('57014', 500), 'Impossible de charger les signalements.'],
])('shows the empty state or load error', async (answer, words) => {
  await open({ reports: answer })
  expect(await screen.findByText(words)).toBeTruthy()
})
