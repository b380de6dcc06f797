import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import * as files from '@/lib/browser/download'
import { answers, refusal, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { SecurityPage } from './security-page'

const entry = (id: number, rest: object = {}) => ({
  id,
  created_at: '2026-11-20T10:00:00+00:00',
  actor_name: 'Ada',
  action: 'changed',
  subject_kind: 'servers',
  subject_label: `Avalon ${id}`,
  person_name: 'Olga',
  before: { is_approved: false },
  after: { is_approved: true },
  ...rest,
})

function open(known: Record<string, Answer>, address: string) {
  const requests = answers(known)
  return renderPage(<SecurityPage />, { path: address }).then(() => requests)
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('lists audit entries with actor and changes', async () => {
  await open({ audit_log_overseen: [entry(7)] }, '/admin/security?view=audit')
  const row = await screen.findByRole('row', { name: /Avalon 7/ })
  for (const word of ['Ada', 'Olga', 'Modification', 'Serveur', 'is_approved', 'Non', 'Oui'])
    expect(within(row).getByText(word)).toBeTruthy()
})

it('asks for what the address filters by', async () => {
  const { requestsOf } = await open(
    { audit_log_overseen: [entry(7)] },
    '/admin/security?view=audit&q=av_a&kind=servers&action=changed&from=2026-11-01&to=2026-11-30',
  )
  await screen.findByRole('row', { name: /Avalon 7/ })
  const query = requestsOf('audit_log_overseen')[0]?.query
  expect(query?.get('names')).toBe(String.raw`ilike.%av\_a%`)
  expect(query?.get('subject_kind')).toBe('eq.servers')
  expect(query?.get('action')).toBe('eq.changed')
  expect(query?.getAll('created_at')).toEqual(['gte.2026-10-31T23:00:00.000Z', 'lt.2026-11-30T23:00:00.000Z'])
})

it('exports all audit entries page by page', async () => {
  const saved = vi.spyOn(files, 'download').mockImplementation(() => undefined)
  const { requestsOf } = await open(
    {
      audit_log_overseen: ({ query }) => {
        const below = query.get('id')
        const rows =
          below === null || below === 'lt.9007199254740991' ? [entry(9), entry(8)] : below === 'lt.8' ? [entry(7)] : []
        return Response.json(rows, { headers: { 'content-range': '*/3' } })
      },
    },
    '/admin/security?view=audit',
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Exporter en CSV' }))
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(requestsOf('audit_log_overseen').map(({ query }) => query.get('id'))).toEqual([
    null,
    'lt.9007199254740991',
    'lt.8',
    'lt.7',
  ])
  const [name, text] = saved.mock.calls[0] ?? []
  expect(name).toBe('audit-log.csv')
  for (const id of [9, 8, 7]) expect(text).toContain(`Avalon ${id};Olga;is_approved: false → true`)
})

it('folds what has many columns', async () => {
  const after = { a: 1, b: 2, c: 3, d: 'four' }
  await open(
    { audit_log_overseen: [entry(7, { action: 'created', before: null, after })] },
    '/admin/security?view=audit',
  )
  const row = await screen.findByRole('row', { name: /Avalon 7/ })
  expect(within(row).getByText('four').closest('details')?.open).toBe(false)
  await userEvent.click(within(row).getByText('4 champs'))
  expect(within(row).getByText('four').closest('details')?.open).toBe(true)
})

it.each([
  [
    '/admin/security?view=audit',
    'audit_log_overseen',
    'Impossible de charger le journal d’audit.',
    'Aucune action d’administration',
  ],
  ['/admin/security', 'security_events', 'Impossible de charger les événements.', 'Aucun événement'],
])('shows empty and failed states: %s', async (address, table, failed, empty) => {
  await open({ [table]: [] }, address)
  expect(await screen.findByText(new RegExp(empty))).toBeTruthy()
  cleanup()
  await open({ [table]: refusal('42501', 403) }, address)
  expect(await screen.findByText(failed)).toBeTruthy()
})

it('lists what the site noticed', async () => {
  const event = {
    id: 3,
    created_at: '2026-11-20T10:00:00+00:00',
    event_type: 'role_changed',
    event_data: { to: 'admin' },
    origin: 'database',
    profiles: { username: 'Fanny' },
  }
  const { requestsOf } = await open(
    { security_events: [event], 'rpc/get_security_event_types': ['role_changed', 'votes_voided'] },
    '/admin/security?origin=database',
  )
  const row = await screen.findByRole('row', { name: /Rôle changé/ })
  for (const word of ['Fanny', 'Base de données', 'admin']) expect(within(row).getByText(word)).toBeTruthy()
  expect(requestsOf('security_events')[0]?.query.get('origin')).toBe('eq.database')
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'votes_voided')
  await vi.waitFor(() => expect(requestsOf('security_events').at(-1)?.query.get('event_type')).toBe('eq.votes_voided'))
})
