import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { answers, refusal, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { AddressesDialog } from './addresses-dialog'

const person = {
  id: 'p1',
  username: 'Pablo',
  email: 'pablo@example.test',
  role: 'user',
  total_votes: 3,
  is_banned: false,
  ban_reason: null,
  banned_until: null,
  created_at: '2026-03-01T10:00:00Z',
}

async function ban(answer: Answer, days: string) {
  const requests = answers({ 'rpc/ban_addresses': answer })
  const closed = vi.fn()
  await renderPage(<AddressesDialog person={person} onClose={closed} />)
  if (days !== '') await userEvent.type(await screen.findByLabelText(/Durée en jours/), days)
  await userEvent.click(await screen.findByRole('button', { name: 'Bannir ses adresses' }))
  return { ...requests, closed }
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('bans account addresses with or without an end', async () => {
  const { requestsOf, closed } = await ban(() => Response.json(2), '7')
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  const body = requestsOf('rpc/ban_addresses')[0]?.body as { p_user_id: string; p_expires_at: string }
  expect(body.p_user_id).toBe('p1')
  expect((Date.parse(body.p_expires_at) - Date.now()) / 86_400_000).toBeCloseTo(7, 2)
  cleanup()
  const endless = await ban(() => Response.json(1), '')
  await vi.waitFor(() => expect(endless.closed).toHaveBeenCalled())
  expect(endless.requestsOf('rpc/ban_addresses')[0]?.body).toEqual({ p_user_id: 'p1', p_reason: 'Pablo' })
})

it('stays open when no address is stored', async () => {
  const { closed } = await ban(refusal('PT404', 404), '')
  expect(await screen.findByText('Le site ne conserve plus aucune adresse de ce compte.')).toBeTruthy()
  expect(closed).not.toHaveBeenCalled()
})
