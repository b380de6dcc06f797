import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { answers, refusal, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import type { OverviewRow } from '../model/overview'
import { WorkQueue } from './work-queue'

const row = (fields: Partial<OverviewRow>): OverviewRow => ({
  section: 'waits',
  what: 'report',
  part: '',
  amount: 1,
  usual: null,
  since: null,
  server_id: null,
  server_slug: null,
  server_name: null,
  ...fields,
})

async function open(answer: Answer) {
  const requests = answers({ 'rpc/get_admin_overview': answer })
  await renderPage(<WorkQueue />, { path: '/admin' })
  return requests
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('shows pending items with age and link', async () => {
  const since = new Date(Date.now() - 3 * 86_400_000).toISOString()
  await open([row({ amount: 12, since }), row({ what: 'payment', amount: 2, since })])
  const reports = (await screen.findByRole('link', { name: 'Signalements' })).closest('li')!
  expect(within(reports).getByText('12')).toBeTruthy()
  expect(within(reports).getByText('le plus ancien : il y a 3 jours')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Signalements' }).getAttribute('href')).toBe('/admin/moderation?kind=report')
  expect(screen.getByRole('link', { name: 'Paiements bloqués' }).getAttribute('href')).toBe(
    '/admin/prestige-payments?state=trouble',
  )
  const appeals = screen.getByRole('link', { name: 'Recours' }).closest('li')!
  expect(within(appeals).getByText('Rien en attente')).toBeTruthy()
})

it('compares unusual activity with usual and lists failures', async () => {
  const avalon = { server_id: 'a1', server_slug: 'avalon', server_name: 'Avalon' }
  await open([
    row({ section: 'odd', what: 'refused', part: 'captcha', amount: 1200, usual: 40 }),
    row({ section: 'odd', what: 'server', amount: 90, usual: 4, ...avalon }),
    row({ section: 'fails', what: 'receiver', amount: 7, since: '2026-03-01T10:00:00Z', ...avalon }),
    row({ section: 'fails', what: 'mails', amount: 3, since: '2026-03-01T10:00:00Z' }),
  ])
  const region = await screen.findByRole('region', { name: 'Activité inhabituelle' })
  expect(within(region).getByRole('link', { name: /^Votes refusés\s: / })).toBeTruthy()
  expect(within(region).getByText(/^1\s?200 aujourd’hui, 40 d’habitude$/)).toBeTruthy()
  expect(within(region).getByRole('link', { name: 'Votes pour Avalon' }).getAttribute('href')).toMatch(
    /^\/admin\/votes\?server=avalon&from=/,
  )
  const fails = screen.getByRole('region', { name: 'À corriger' })
  const receiver = within(fails).getByRole('link', { name: 'Avalon ne reçoit plus ses votes' })
  expect(receiver.getAttribute('href')).toBe('/admin/webhooks/a1')
  expect(within(fails).getByText('E-mails en retard : 3')).toBeTruthy()
  expect(within(fails).queryByRole('link', { name: /E-mails/ })).toBeNull()
})

it('shows the empty state or load error', async () => {
  await open([])
  expect(await screen.findByText('Rien d’inhabituel.')).toBeTruthy()
  expect(screen.getByText('Tout fonctionne.')).toBeTruthy()
  cleanup()
  const { requestsOf } = await open(refusal('42501', 403))
  expect(await screen.findByText('Impossible de charger ce qui attend une décision.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /Réessayer/ }))
  await vi.waitFor(() => expect(requestsOf('rpc/get_admin_overview')).toHaveLength(2))
})
