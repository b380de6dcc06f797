import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { answers, refusal, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { VotesPage } from './votes-page'

const vote = (n: number) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  server_id: '00000000-0000-4000-8000-0000000000aa',
  nickname: `Loup ${n}`,
  was_signed_in: n === 1,
  voted_at: '2026-11-20T10:00:00+00:00',
  servers: { slug: 'avalon', name: 'Avalon' },
  profiles: n === 1 ? { username: 'Ada' } : null,
})
const ADDRESS = '/admin/votes?server=avalon&nickname=lo_up&from=2026-11-10&to=2026-11-20'

function open(known: Record<string, Answer>, address = ADDRESS) {
  const requests = answers(known)
  return renderPage(<VotesPage />, { path: address }).then(() => requests)
}

async function act(name: string, action: string) {
  const row = await screen.findByRole('row', { name: new RegExp(name) })
  await userEvent.click(within(row).getByRole('button', { name: /Loup/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
  return screen.findByRole('dialog')
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('filters votes by server, dates and nickname', async () => {
  const { requestsOf } = await open({ votes: [vote(1), vote(2)] })
  const row = await screen.findByRole('row', { name: /Loup 1/ })
  expect(within(row).getByText('Ada')).toBeTruthy()
  const query = requestsOf('votes')[0]?.query
  expect(query?.get('servers.slug')).toBe('eq.avalon')
  expect(query?.get('nickname')).toBe(String.raw`ilike.%lo\_up%`)
  expect(query?.getAll('voted_at')).toEqual(['gte.2026-11-09T23:00:00.000Z', 'lt.2026-11-20T23:00:00.000Z'])
})

it('sends no query without a server', async () => {
  const { requestsOf } = await open({ votes: [] }, '/admin/votes')
  expect(await screen.findByText(/Indiquez la fin de l’adresse/)).toBeTruthy()
  expect(requestsOf('votes')).toEqual([])
})

it('voids selected votes with a reason', async () => {
  const { requestsOf } = await open({
    votes: [vote(1), vote(2)],
    'rpc/void_votes': [{ voided: 2, used_pass_days: 0 }],
  })
  for (const box of await screen.findAllByRole('checkbox', { name: /Loup/ })) await userEvent.click(box)
  await userEvent.click(screen.getByRole('button', { name: 'Annuler les votes sélectionnés' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.selectOptions(within(dialog).getByLabelText('Motif'), 'bought')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Annuler les votes' }))
  await vi.waitFor(() => expect(requestsOf('rpc/void_votes')).toHaveLength(1))
  expect(requestsOf('rpc/void_votes')[0]?.body).toEqual({
    p_reason: 'bought',
    p_ids: [vote(1).id, vote(2).id],
  })
})

it('voids votes of one address within the dates', async () => {
  const { requestsOf } = await open({ votes: [vote(2)], 'rpc/void_votes': [{ voided: 4, used_pass_days: 0 }] })
  const dialog = await act('Loup 2', 'Annuler tous les votes de cette adresse')
  await userEvent.selectOptions(within(dialog).getByLabelText('Motif'), 'proxies')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Annuler les votes' }))
  await vi.waitFor(() => expect(requestsOf('rpc/void_votes')).toHaveLength(1))
  expect(requestsOf('rpc/void_votes')[0]?.body).toEqual({
    p_reason: 'proxies',
    p_server_id: vote(2).server_id,
    p_from: '2026-11-09T23:00:00.000Z',
    p_until: '2026-11-20T23:00:00.000Z',
    p_address_of: vote(2).id,
    p_rows: 500,
  })
})

it('voids a network in batches, resuming after failure', async () => {
  const batches: (() => Response)[] = [
    () => Response.json([{ voided: 500, used_pass_days: 0 }]),
    refusal('55P03', 500),
    () => Response.json([{ voided: 500, used_pass_days: 0 }]),
    () => Response.json([{ voided: 7, used_pass_days: 0 }]),
  ]
  const { requestsOf } = await open({
    votes: [vote(2)],
    'rpc/void_votes': () => batches.shift()?.() ?? Response.json([{ voided: 0, used_pass_days: 0 }]),
  })
  const dialog = await act('Loup 2', 'Annuler tous les votes de ce réseau')
  await userEvent.selectOptions(within(dialog).getByLabelText('Motif'), 'proxies')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Annuler les votes' }))
  expect(await within(dialog).findByText(/^500 votes sont annulés, mais pas les suivants/)).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Continuer' }))
  await vi.waitFor(() => expect(requestsOf('rpc/void_votes')).toHaveLength(4))
  for (const { body } of requestsOf('rpc/void_votes'))
    expect(body).toMatchObject({ p_network_of: vote(2).id, p_server_id: vote(2).server_id, p_rows: 500 })
  await vi.waitFor(() => expect(currentToast()?.title).toBe('1007 votes annulés'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('reports an address that is no longer stored', async () => {
  await open({ votes: [vote(2)], 'rpc/ban_addresses': refusal('PT404', 404) })
  const dialog = await act('Loup 2', 'Bannir l’adresse')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Bannir l’adresse' }))
  expect(await within(dialog).findByText(/ne conserve plus l’adresse/)).toBeTruthy()
})

it.each([
  [[], 'Aucune ligne ne correspond'],
  [refusal('42501', 403), 'Impossible de charger les votes'],
])('shows the empty state or load error', async (answer, expected) => {
  await open({ votes: answer }, '/admin/votes?server=avalon')
  expect(await screen.findByText(new RegExp(expected))).toBeTruthy()
})
