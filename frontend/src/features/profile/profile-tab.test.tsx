import { renderHook, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { usePrestigeDialog } from '@/entities/prestige/dialog'
import type { OwnServer } from '@/entities/server/own'
import { ApiError } from '@/lib/api/errors'
import { renderPage } from '@/testing/render-page'
import type { Details } from './api/details'
import { ProfileTab } from './profile-tab'

const DETAILS: Details = {
  username: 'Ada',
  role: 'user',
  language: 'en',
  weeklyMail: true,
  totalVotes: 1042,
  createdAt: '2026-01-01',
}
const SERVER = {
  id: 's1',
  slug: 'rock-and-roll',
  name: 'Rock &amp; Roll',
  logo_image_url: null,
  is_approved: true,
  is_hidden: false,
  hidden_reason: null,
  is_sponsored: false,
  prestige_expires_at: null,
  monthly_votes: 1,
  games: { name: 'Minecraft' },
} as unknown as OwnServer
const review = (n: number) => ({
  id: `r${n}`,
  rating: 4,
  comment: `Comment ${n}`,
  is_anonymous: false,
  is_hidden: false,
  created_at: '2026-01-01',
  server_name: `Server ${n}`,
  servers: { id: 's', slug: 's' },
})

const { rows, query } = vi.hoisted(() => {
  const answers: Record<string, () => Promise<unknown>> = {}
  const reading = (name: string) => () => ({ queryKey: ['own', name], queryFn: () => answers[name]?.() })
  return { rows: answers, query: reading }
})

const { saveDetails, setVisibility, deleteReview, spendPassDays, exportData, appealDecision } = vi.hoisted(() => ({
  exportData: vi.fn(),
  appealDecision: vi.fn(),
  saveDetails: vi.fn(),
  setVisibility: vi.fn(),
  deleteReview: vi.fn(),
  spendPassDays: vi.fn(),
}))
vi.mock('./api/details', async (original) => {
  const { sending } = await import('@/testing/sending')
  return { ...sending(await original<object>(), { saveDetails }), detailsQuery: query('details') }
})
vi.mock('@/entities/server/own', () => ({ ownServersQuery: query('servers') }))
vi.mock('@/entities/server/visibility', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { setVisibility })
})
vi.mock('./api/reviews', () => ({ reviewsQuery: query('reviews') }))
vi.mock('@/entities/review/delete', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { deleteReview })
})
vi.mock('./api/export-data', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { exportData })
})
vi.mock('./api/decisions', () => ({ decisionsQuery: query('decisions') }))
vi.mock('./api/appeal-decision', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { appealDecision })
})
vi.mock('./api/warnings', () => ({ warningsQuery: query('warnings') }))
vi.mock('./api/pass-days', async (original) => {
  const { sending } = await import('@/testing/sending')
  return { ...sending(await original<object>(), { spendPassDays }), passQuery: query('pass') }
})

const user = userEvent.setup()

beforeEach(() => {
  for (const name of ['servers', 'reviews', 'warnings', 'decisions']) rows[name] = async () => []
  rows.details = async () => DETAILS
  rows.pass = async () => ({ days: 0, votesPerDay: 1000, spent: [] as object[] })
  for (const call of [saveDetails, setVisibility, deleteReview])
    vi.mocked(call as () => Promise<void>)
      .mockReset()
      .mockResolvedValue(undefined)
  vi.mocked(appealDecision).mockReset().mockResolvedValue(undefined)
  vi.mocked(exportData).mockReset().mockResolvedValue(undefined)
  vi.mocked(spendPassDays).mockReset().mockResolvedValue('2026-12-24T12:00:00Z')
})

async function open() {
  // Without IntersectionObserver everything counts as near.
  vi.stubGlobal('IntersectionObserver', undefined)
  await renderPage(<ProfileTab userId="u1" email="ada@example.org" purchases={<p>Bought</p>} />, {
    language: 'en',
    path: '/en/profile',
  })
  // The code of these sections is loaded when they come near the viewport.
  await waitFor(() => expect(document.querySelector('[style*="min-height"]')).toBeNull(), { timeout: 15_000 })
  return (name: string) => within(screen.getByRole('region', { name }))
}

it('shows empty states and no warnings section', async () => {
  await open()
  for (const text of [
    'No servers yet. Add yours to start getting votes.',
    'No reviews yet. Yours will help others choose.',
    'Bought',
    'No days available for now.',
    'Votes toward the next day: 42 of 1,000',
  ])
    expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Warnings' })).toBeNull()
})

it('keeps other sections when one fails to render', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  rows.reviews = async () => [{}]
  await open()
  expect(await screen.findByText('Couldn’t show this part.')).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Details' })).toBeTruthy()
  expect(screen.getByText('Bought')).toBeTruthy()
  consoleError.mockRestore()
})

it('saves details and reports a taken username', async () => {
  vi.mocked(saveDetails).mockRejectedValueOnce(new ApiError('23505', 'duplicate key…', 409))
  const panel = await open()
  const details = panel('Details')
  await user.click(await details.findByRole('button', { name: 'Edit' }))
  const name = await details.findByLabelText('Username')
  await user.clear(name)
  await user.type(name, 'Fanny')
  await user.selectOptions(details.getByLabelText('Email language'), 'Español')
  await user.click(details.getByRole('button', { name: 'Save' }))
  expect(await details.findByText('This username is already taken.')).toBeTruthy()
  await user.click(details.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Profile saved' }))
  expect(vi.mocked(saveDetails).mock.calls[1]?.[0]).toEqual({
    userId: 'u1',
    username: 'Fanny',
    language: 'es',
    weeklyMail: true,
  })
})

it('hides servers but cannot show moderated ones', async () => {
  const moderated = { ...SERVER, id: 's2', name: 'Shady', is_hidden: true, hidden_reason: 'moderation' }
  rows.servers = async () => [SERVER, moderated]
  const panel = await open()
  const servers = panel('My servers')
  await user.click(await servers.findByRole('button', { name: 'Hide Rock & Roll' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ title: 'Server hidden', description: 'Rock & Roll' }))
  expect(vi.mocked(setVisibility).mock.calls[0]?.[0]).toMatchObject({ id: 's1', isVisible: false })
  expect(servers.getByText('Hidden by moderators')).toBeTruthy()
  expect(servers.queryByRole('button', { name: 'Show Shady' })).toBeNull()
})

it('truncates long lists and confirms deletions', async () => {
  rows.reviews = async () => Array.from({ length: 7 }, (_, n) => review(n))
  const panel = await open()
  const reviews = panel('My reviews')
  expect(await reviews.findByText('Comment 4')).toBeTruthy()
  expect(reviews.queryByText('Comment 5')).toBeNull()
  await user.click(reviews.getByRole('button', { name: 'Show all (7)' }))
  await user.click(reviews.getByRole('button', { name: 'Delete the review of Server 6' }))
  expect(deleteReview).not.toHaveBeenCalled()
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(vi.mocked(deleteReview).mock.calls[0]?.[0]).toBe('r6'))
})

it('spends pass days on a server after confirmation', async () => {
  rows.pass = async () => ({ days: 2, votesPerDay: 1000, spent: [] as object[] })
  const prestige = { is_sponsored: true, prestige_expires_at: '2126-01-01T00:00:00Z' }
  rows.servers = async () => [{ ...SERVER, ...prestige, id: 's0', name: 'Golden' }, SERVER]
  const panel = await open()
  const pass = panel('Prestige Pass')
  const count = await pass.findByLabelText('Number of days')
  await user.clear(count)
  await user.type(count, '3')
  await user.click(pass.getByRole('button', { name: 'Use' }))
  expect(await pass.findByText('At most 2.')).toBeTruthy()
  await user.clear(count)
  await user.type(count, '2')
  await user.click(pass.getByRole('button', { name: 'Use' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Use your days for Rock & Roll?' }))
  expect(spendPassDays).not.toHaveBeenCalled()
  await user.click(question.getByRole('button', { name: 'Use 2 days' }))
  await waitFor(() =>
    expect(currentToast()).toMatchObject({
      title: 'Prestige activated',
      description: 'Active until December 24, 2026.',
    }),
  )
  expect(vi.mocked(spendPassDays).mock.calls[0]?.[0]).toMatchObject({ serverId: 's1', days: 2, extends: false })
})

it('keeps a server hidden at the limit', async () => {
  rows.servers = async () => [{ ...SERVER, is_hidden: true, hidden_reason: 'bonus_expired' }]
  setVisibility.mockRejectedValue(
    new ApiError('P0001', 'Server limit reached', 400, { detail: 'server_limit_reached' }),
  )
  const panel = await open()
  const servers = panel('My servers')
  await user.click(await servers.findByRole('button', { name: 'Show Rock & Roll' }))
  await waitFor(() =>
    expect(currentToast()).toMatchObject({
      title: 'Couldn’t change the visibility',
      description: 'You already have the maximum number of visible servers: hide another one, or get Prestige.',
    }),
  )
  expect(await servers.findByText('Hidden: Prestige ended')).toBeTruthy()
})

it('marks expired warnings and hidden servers', async () => {
  rows.warnings = async () => [
    { id: 'w', reason: 'Old', created_at: '2026-01-01', expires_at: '2026-02-01T00:00:00Z', servers: null },
  ]
  rows.reviews = async () => [{ ...review(1), servers: null, server_name: 'Shady' }]
  const panel = await open()
  expect(await screen.findByText('Expired')).toBeTruthy()
  expect(await panel('My reviews').findByText('Shady')).toBeTruthy()
  expect(panel('My reviews').getByText('Hidden server')).toBeTruthy()
})

it('shows warnings and retries failed sections', async () => {
  rows.warnings = async () => [
    { id: 'w', reason: 'Wrong category', created_at: '2026-01-01', expires_at: null, servers: { name: 'Shady' } },
  ]
  rows.reviews = () => Promise.reject(new ApiError('unknown', 'no', 500))
  const panel = await open()
  expect(await screen.findByText('Wrong category')).toBeTruthy()
  expect(screen.getByText('About Shady')).toBeTruthy()
  const reviews = panel('My reviews')
  expect(await reviews.findByText('Couldn’t load your reviews.')).toBeTruthy()
  rows.reviews = async () => []
  await user.click(reviews.getByRole('button', { name: 'Try again' }))
  expect(await reviews.findByText('No reviews yet. Yours will help others choose.')).toBeTruthy()
})

it('tells where earned days went', async () => {
  const to = (n: number) => ({
    at: `2026-11-0${n}T12:00:00Z`,
    server: { id: 's1', slug: 'rock', name: 'Rock &amp; Roll' },
    days: n,
  })
  rows.pass = async () => ({
    days: 0,
    votesPerDay: 1000,
    spent: [{ ...to(1), server: null }, ...[2, 3, 4, 5, 6].map(to)],
  })
  const panel = await open()
  const list = within(await panel('Prestige Pass').findByRole('list', { name: 'Days used' }))
  expect(list.getByText('Deleted server')).toBeTruthy()
  expect(list.getAllByRole('link', { name: 'Rock & Roll' })).toHaveLength(4)
  expect(list.getByText('2 days')).toBeTruthy()
  await user.click(panel('Prestige Pass').getByRole('button', { name: 'Show all (6)' }))
  expect(list.getByText('6 days')).toBeTruthy()
})

it('exports account data with local favorites', async () => {
  await open()
  await user.click(await screen.findByRole('button', { name: 'Download my data' }, { timeout: 20_000 }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'File downloaded' }))
  expect(vi.mocked(exportData).mock.calls[0]?.[0]).toEqual({ favorites: [] })
})

it('opens the Prestige dialog for a server', async () => {
  rows.servers = async () => [SERVER]
  const panel = await open()
  await user.click(await panel('My servers').findByRole('button', { name: 'Get Prestige for Rock & Roll' }))
  expect(renderHook(usePrestigeDialog).result.current).toEqual({ id: 's1', name: 'Rock & Roll' })
})

it('shows moderation decisions and sends an appeal', async () => {
  rows.decisions = async () => [
    {
      id: 'c1',
      label: 'Rock & Roll',
      decision: 'disabled',
      sanction: null,
      until: null,
      reason: 'spam',
      statement: 'Your description is an advertisement.',
      decided_at: new Date().toISOString(),
      taken_back_at: null,
      appealed_at: null,
      appeal_decision: null,
      appeal_statement: null,
    },
  ]
  await open()
  const decisions = within(await screen.findByRole('region', { name: 'Moderation decisions' }))
  expect(decisions.getByText('Your description is an advertisement.')).toBeTruthy()
  await user.click(decisions.getByRole('button', { name: 'Appeal the decision on Rock & Roll' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Appeal this decision' }))
  await user.type(dialog.getByRole('textbox'), 'It is not.')
  await user.click(dialog.getByRole('button', { name: 'Send the appeal' }))
  await waitFor(() => expect(vi.mocked(appealDecision).mock.lastCall?.[0]).toEqual({ id: 'c1', message: 'It is not.' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
