import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import type { OwnServer } from '../api/own-server'
import { DeliveriesSection } from './deliveries-section'
import { VotifierSection } from './votifier-section'

const server = { id: 's1' } as OwnServer
const user = userEvent.setup()
let sent: ApiRequest[]

beforeEach(() => {
  sent = []
  answers({
    votifier_configs: (request) => {
      if (request.method === 'GET') return Response.json([])
      sent.push(request)
      return new Response(null, { status: 201 })
    },
    deliveries: [
      {
        id: 'd1',
        channel: 'votifier',
        event: 'vote.created',
        payload: { vote: { nickname: 'Ada' } },
        status: 'failed',
        attempts: 12,
        next_attempt_at: '2026-11-23T00:00:00Z',
        fault: 'no_greeting',
        request: 'mc.example:25565',
        answer_status: null,
        answer: null,
        is_confirmed: null,
        created_at: '2026-11-22T00:00:00Z',
        delivered_at: null,
      },
    ],
    'rpc/replay_deliveries': (request) => {
      sent.push(request)
      return Response.json(1)
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

it('validates the listener port before saving', async () => {
  await renderPage(<VotifierSection server={server} userId="u1" />)
  const form = within(await screen.findByRole('form', { name: 'Votifier' }))
  const port = form.getByLabelText(/^Port/)
  expect((port as HTMLInputElement).value).toBe('8192')
  await user.clear(port)
  await user.type(port, '70000')
  await user.click(form.getByRole('button', { name: 'Activer' }))
  expect(await form.findByText('Le port doit être compris entre 1 et 65535')).toBeTruthy()
  await user.clear(port)
  await user.type(port, '8193')
  await user.type(form.getByLabelText(/^Hôte/), 'mc.example')
  await user.type(form.getByLabelText(/^Jeton/), 'abc')
  await user.click(form.getByRole('button', { name: 'Activer' }))
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({
    host: 'mc.example',
    port: 8193,
    protocol: 'auto',
    token: 'abc',
    public_key: null,
  })
})

it('shows the delivery fault and resends it', async () => {
  await renderPage(<DeliveriesSection server={server} userId="u1" />)
  await user.click(await screen.findByText('Ada'))
  expect(screen.getByText(/c’est sans doute celui du jeu/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Renvoyer' }))
  await vi.waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ p_server_id: 's1', p_ids: ['d1'] }]))
})
