import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { answers, refusal } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { PageErrorsPage } from './page-errors-page'

const error = (id: number, rest: object = {}) => ({
  id,
  release: 'index-B1x_9',
  page: 'home',
  name: 'TypeError',
  frames: ['card-x1.js:2:345', 'index-B1x_9.js:9:1'],
  reports: 12,
  first_at: '2026-11-20T10:00:00+00:00',
  last_at: '2026-11-25T10:00:00+00:00',
  ...rest,
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('lists errors with page, count and release', async () => {
  answers({ page_errors: [error(1), error(2, { name: 'React418', page: 'missing' })] })
  await renderPage(<PageErrorsPage />, { path: '/admin/page-errors' })
  const row = await screen.findByRole('row', { name: /TypeError/ })
  for (const word of ['Classement', '12', 'index-B1x_9', 'card-x1.js:2:345'])
    expect(within(row).getByText(word)).toBeTruthy()
  expect(within(screen.getByRole('row', { name: /React418/ })).getByText('Page introuvable')).toBeTruthy()
})

it('asks for what the address filters by', async () => {
  const { requestsOf } = answers({ page_errors: [error(1)] })
  await renderPage(<PageErrorsPage />, { path: '/admin/page-errors?name=Type&page=home&sort=-reports' })
  await screen.findByRole('row', { name: /TypeError/ })
  const query = requestsOf('page_errors')[0]?.query
  expect(query?.get('name')).toBe('ilike.%Type%')
  expect(query?.get('page')).toBe('eq.home')
  expect(query?.get('order')).toMatch(/^reports\.desc/)
})

it('shows the empty state or load error', async () => {
  answers({ page_errors: [] })
  await renderPage(<PageErrorsPage />, { path: '/admin/page-errors' })
  await screen.findByText('Aucune erreur signalée ces 30 derniers jours.')
  cleanup()
  answers({ page_errors: refusal('42501', 403) })
  await renderPage(<PageErrorsPage />, { path: '/admin/page-errors' })
  await screen.findByText('Impossible de charger les erreurs des pages.')
})
