import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, refusal, renderAt } from '@/testing/render-screen'
import { everyMinute } from './api'

const OVERVIEW = {
  services: [
    { name: 'auth', status: 'up' },
    { name: 'functions', status: 'off' },
  ],
  database: { version: '17.6', size_bytes: 8_400_000, connections: 7, max_connections: 100 },
  requests: [],
  slow_statements: [],
  slow_statements_available: false,
  last_backup: null,
}

it('adds minutes without a request', () => {
  const now = Date.parse('2026-01-01T10:05:30Z')
  const minutes = everyMinute(
    [{ minute: '2026-01-01T10:03:00Z', requests: 4, client_errors: 1, server_errors: 0 }],
    now,
    4,
  )
  expect(minutes.map(({ requests }) => requests)).toEqual([0, 4, 0, 0])
  expect(minutes.at(-1)?.minute).toBe('2026-01-01T10:05:00.000Z')
})

it('shows the state of services and database', async () => {
  answerWith({
    'GET overview': OVERVIEW,
    'GET services/advisors/v1': { lints: [{ level: 'ERROR', cache_key: 'a' }] },
  })
  await renderAt('/overview')
  expect(await screen.findByText('8.4 MB')).toBeTruthy()
  expect(screen.getByText('7 / 100')).toBeTruthy()
  expect(screen.getByText('Off')).toBeTruthy()
  expect(await screen.findByText('1 error')).toBeTruthy()
  expect(screen.getByText(/pg_stat_statements/)).toBeTruthy()
})

it('counts refused and failed requests separately', async () => {
  const minute = new Date().toISOString()
  answerWith({
    'GET overview': { ...OVERVIEW, requests: [{ minute, requests: 9, client_errors: 3, server_errors: 1 }] },
    'GET services/advisors/v1': { lints: [] },
  })
  await renderAt('/overview')
  expect(await screen.findByText('9 requests, 3 refused (4xx), 1 failed (5xx)')).toBeTruthy()
  const cells = within(screen.getByRole('table', { name: 'Requests in the last hour' })).getAllByRole('cell')
  expect(cells.slice(1).map((cell) => cell.textContent)).toEqual(['9', '3', '1'])
})

it('offers a retry when the console fails', async () => {
  let isReachable = false
  answerWith({
    'GET overview': () => (isReachable ? OVERVIEW : refusal(500, { error: { code: 'odd', message: 'It broke.' } })),
    'GET services/advisors/v1': { lints: [] },
  })
  const { user } = await renderAt('/overview')
  expect(await screen.findByText('It broke.')).toBeTruthy()
  isReachable = true
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('8.4 MB')).toBeTruthy()
})
