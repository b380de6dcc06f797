import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { answers, persona, refused, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { signInAsAda, signOut } from '@/testing/sign-in'
import { ModerationPage } from './moderation-page'

const user = userEvent.setup()

const row = (id: string, kind: string, label: string) => ({
  id,
  kind,
  label,
  review_id: null,
  opened_at: '2026-11-20T10:00:00Z',
  decision: null,
  sanction: null,
  decided_at: null,
  taken_back_at: null,
  person: { username: 'mallory' },
})
const CASES = [row('c1', 'server', 'Loup &amp; Garde'), row('c2', 'report', 'Shady')]

const fileOf = (id: string) => ({
  case: { ...CASES.find((one) => one.id === id), statement: null, message: null, before: null, decided_by_name: null },
  server: null,
  review: null,
  reports:
    id === 'c2'
      ? [
          {
            id: 'r1',
            reason: 'other',
            custom_reason: 'C’est une arnaque.',
            status: 'pending',
            created_at: '2026-11-20T10:00:00Z',
            reporter: 'bob',
            notice: null,
          },
        ]
      : [],
  appealed: null,
  history: [],
  person: null,
})

afterEach(async () => {
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

async function open(decide: Answer = () => new Response(null, { status: 204 })) {
  const api = answers({
    ...persona('admin'),
    moderation_cases: CASES,
    'rpc/get_moderation_case': ({ body }) => Response.json(fileOf((body as { p_case_id: string }).p_case_id)),
    'rpc/decide_case': decide,
    'rpc/undo_decision': () => new Response(null, { status: 204 }),
  })
  await signInAsAda()
  await renderPage(<ModerationPage />, { path: '/admin/moderation' })
  await screen.findByRole('button', { name: /^Approuver/ })
  return { decisions: () => api.requestsOf('rpc/decide_case').map(({ body }) => body), api }
}

it('decides with a shortcut and undoes it', async () => {
  const { decisions, api } = await open()
  expect(screen.getByText('2 dossiers en attente.')).toBeTruthy()
  await user.keyboard('1')
  expect(await screen.findByText('Loup & Garde : décision enregistrée.')).toBeTruthy()
  expect(decisions()).toEqual([{ p_case_id: 'c1', p_decision: 'approved' }])
  expect(await screen.findByText('C’est une arnaque.')).toBeTruthy()
  await user.keyboard('z')
  await waitFor(() =>
    expect(api.requestsOf('rpc/undo_decision').map(({ body }) => body)).toEqual([{ p_case_id: 'c1' }]),
  )
  await waitFor(() => expect(screen.queryByText('Loup & Garde : décision enregistrée.')).toBeNull())
})

it('refusal requires a rule and a message', async () => {
  const { decisions } = await open()
  await user.keyboard('2')
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Refuser' }))
  expect(await dialog.findAllByText(/obligatoire|Choisissez/)).not.toHaveLength(0)
  expect(decisions()).toEqual([])
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Règle' }), 'Spam ou publicité')
  await user.type(dialog.getByRole('textbox', { name: 'Message à la personne' }), 'Une publicité.')
  await user.click(dialog.getByRole('button', { name: 'Refuser' }))
  await waitFor(() =>
    expect(decisions()).toEqual([
      { p_case_id: 'c1', p_decision: 'refused', p_reason: 'spam', p_statement: 'Une publicité.' },
    ]),
  )
})

it('keeps a case that was decided concurrently', async () => {
  const { decisions } = await open(() => refused('P0001', 400, { details: 'case_decided' }))
  await user.keyboard('1')
  await waitFor(() => expect(decisions()).toHaveLength(1))
  expect(screen.queryByText('Loup & Garde : décision enregistrée.')).toBeNull()
  expect(screen.getByRole('button', { name: /^Approuver/ })).toBeTruthy()
})
