import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import type { TabProps } from '../edit/use-edit-form'
import { TicketsSection } from './tickets-section'

const user = userEvent.setup()
const SERVER = { id: 'a9d2b8de-0000-4000-8000-000000000001' } as TabProps['server']

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('shows examples and toggles the ticket requirement', async () => {
  let required = false
  const api = answers({
    server_standings: () => Response.json({ requires_ticket: required }),
    'rpc/set_ticket_rule': ({ body }) => {
      required = (body as { p_required: boolean }).p_required
      return new Response(null, { status: 204 })
    },
  })
  await renderPage(<TicketsSection server={SERVER} userId="u" />)
  expect(screen.getByText(/un seul vote/)).toBeTruthy()
  expect(screen.getByRole('region', { name: /^Exemple/ }).textContent).toContain(`/api/v1/servers/${SERVER.id}/tickets`)
  await user.click(screen.getByRole('radio', { name: 'curl' }))
  expect(screen.getByRole('region', { name: /^Exemple/ }).textContent).toContain('curl -X POST')

  const rule = await screen.findByRole<HTMLInputElement>('switch', { name: /avec ticket/ })
  expect(rule.checked).toBe(false)
  await user.click(rule)
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(true))
  expect(api.requestsOf('rpc/set_ticket_rule').map(({ body }) => body)).toEqual([
    { p_server_id: SERVER.id, p_required: true },
  ])
})
