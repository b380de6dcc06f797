import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { ApiError } from '@/lib/api/errors'
import { renderPage } from '@/testing/render-page'
import { SecurityTab } from './security-tab'

const EMAIL = { identity_id: 'i1', provider: 'email', identity_data: { email: 'ada@example.org' } }
const GITHUB = { identity_id: 'i2', provider: 'github', identity_data: { email: 'ada@github.test' } }
const SESSIONS = [
  {
    id: 's1',
    createdAt: '2026-01-01',
    lastSeenAt: '2026-01-02',
    userAgent: 'Firefox/140 Linux',
    ip: null,
    isCurrent: true,
  },
  {
    id: 's2',
    createdAt: '2026-01-01',
    lastSeenAt: '2026-01-02',
    userAgent: 'curl/8',
    ip: '192.0.2.1',
    isCurrent: false,
  },
]

const {
  changePassword,
  requestCode,
  beginTotp,
  completeFactor,
  removeFactor,
  linkIdentity,
  unlinkIdentity,
  endSession,
  endOtherSessions,
} = vi.hoisted(() => ({
  changePassword: vi.fn(),
  requestCode: vi.fn(),
  beginTotp: vi.fn(),
  completeFactor: vi.fn(),
  removeFactor: vi.fn(),
  linkIdentity: vi.fn(),
  unlinkIdentity: vi.fn(),
  endSession: vi.fn(),
  endOtherSessions: vi.fn(),
}))

let account: { identities: object[]; factors: object[] }
let sessions: () => Promise<object[]>

vi.mock('./api/user', () => ({
  userQuery: () => ({ queryKey: ['account', 'own', 'user'], queryFn: () => Promise.resolve(account) }),
}))
vi.mock('./api/sessions', async (original) => {
  const { sending } = await import('@/testing/sending')
  return {
    ...sending(await original<object>(), { endSession, endOtherSessions }),
    sessionsQuery: () => ({ queryKey: ['account', 'own', 'sessions'], queryFn: () => sessions() }),
  }
})
vi.mock('./api/change-password', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { changePassword, requestCode })
})
vi.mock('./api/factors', async (original) => {
  const { sending } = await import('@/testing/sending')
  return {
    ...sending(await original<object>(), { completeFactor, removeFactor }),
    totpSetupQuery: (name: string) => ({ queryKey: ['account', 'own', 'totp-setup'], queryFn: () => beginTotp(name) }),
  }
})
vi.mock('./api/identities', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { linkIdentity, unlinkIdentity })
})

const user = userEvent.setup()

beforeEach(() => {
  account = { identities: [EMAIL], factors: [] }
  sessions = () => Promise.resolve(SESSIONS)
  const answers = { external: { github: true, google: true }, sms_provider: '' }
  vi.stubGlobal(
    'fetch',
    vi.fn().mockImplementation(async () => Response.json(answers)),
  )
  for (const call of [changePassword, requestCode, completeFactor, removeFactor, linkIdentity, unlinkIdentity])
    vi.mocked(call as () => Promise<void>)
      .mockReset()
      .mockResolvedValue(undefined)
  for (const call of [endSession, endOtherSessions])
    vi.mocked(call as () => Promise<void>)
      .mockReset()
      .mockResolvedValue(undefined)
  vi.mocked(beginTotp).mockReset().mockResolvedValue({ factorId: 'f', qrCode: 'data:,', secret: 'ABCDEFGHIJ' })
})

async function open() {
  await renderPage(<SecurityTab email="ada@example.org" />, { language: 'en', path: '/en/profile' })
  return (name: string) => within(screen.getByRole('region', { name }))
}

async function changeTo(password: string, confirmation = password): Promise<void> {
  await user.type(screen.getByLabelText('New password'), password)
  await user.type(screen.getByLabelText('Confirm password'), confirmation)
  await user.click(screen.getByRole('button', { name: 'Change password' }))
}

it('refuses passwords that differ and sends nothing', async () => {
  await open()
  await changeTo('secret', 'secrets')
  expect(screen.getByText('Passwords do not match.')).toBeTruthy()
  expect(changePassword).not.toHaveBeenCalled()
})

it('password change sends the required email code', async () => {
  vi.mocked(changePassword).mockRejectedValueOnce(new ApiError('reauthentication_needed', 'Password update…', 400))
  await open()
  await changeTo('secret')
  await user.type(await screen.findByLabelText('Code from the email'), '123456')
  expect(requestCode).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Password changed' }))
  expect(vi.mocked(changePassword).mock.calls.map(([change]) => change)).toEqual([
    { password: 'secret', nonce: null, currentPassword: null },
    { password: 'secret', nonce: '123456', currentPassword: null },
  ])
})

it('password change reports a wrong current password', async () => {
  vi.mocked(changePassword)
    .mockRejectedValueOnce(new ApiError('current_password_required', 'Current password required…', 400))
    .mockRejectedValueOnce(new ApiError('current_password_invalid', 'Current password required…', 400))
  await open()
  await changeTo('secret')
  await user.type(await screen.findByLabelText('Current password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('The current password is incorrect.')).toBeTruthy()
})

it('adds an authenticator app, retrying a wrong code', async () => {
  account.factors = [
    { id: 'f0', factor_type: 'totp', status: 'verified', friendly_name: 'Authenticator app', created_at: '2026-01-01' },
  ]
  vi.mocked(completeFactor).mockRejectedValueOnce(new ApiError('mfa_verification_failed', 'Invalid TOTP code', 422))
  const panel = await open()
  await user.click(await panel('Two-step verification').findByRole('button', { name: 'Add an app' }))
  await user.type(await screen.findByLabelText('Code from the app'), '000000')
  expect(beginTotp).toHaveBeenCalledWith('Authenticator app 2')
  expect(screen.getByText('ABCD EFGH IJ')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(await screen.findByText('The code is incorrect or has expired.')).toBeTruthy()
  await user.type(screen.getByLabelText('Code from the app'), '123456')
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(currentToast()).toMatchObject({ tone: 'success', title: 'Second factor added' })
})

it('removes a factor after asking', async () => {
  account.factors = [
    { id: 'f0', factor_type: 'totp', status: 'verified', friendly_name: 'Old', created_at: '2026-01-01' },
  ]
  await open()
  await user.click(await screen.findByRole('button', { name: 'Remove Old' }))
  expect(removeFactor).not.toHaveBeenCalled()
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove “Old”?' }))
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(vi.mocked(removeFactor).mock.calls[0]?.[0]).toBe('f0'))
})

it('links and unlinks provider accounts', async () => {
  account.identities = [EMAIL, GITHUB]
  const panel = await open()
  const linked = panel('Linked accounts')
  await user.click(await linked.findByRole('button', { name: 'Link Google' }))
  expect(vi.mocked(linkIdentity).mock.calls[0]?.[0]).toEqual({
    provider: 'google',
    returnTo: '/en/profile?tab=security',
  })
  expect(linked.queryByRole('button', { name: 'Link GitHub' })).toBeNull()
  await user.click(linked.getByRole('button', { name: 'Unlink GitHub' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Unlink' }))
  await waitFor(() => expect(vi.mocked(unlinkIdentity).mock.calls[0]?.[0]).toEqual(GITHUB))
})

it('keeps the only way in', async () => {
  account.identities = [GITHUB]
  await open()
  expect(await screen.findByText('ada@github.test')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Unlink GitHub' })).toBeNull()
})

it('lists sessions and signs out another device', async () => {
  const panel = await open()
  const list = panel('Active sessions')
  expect(await list.findByText('Firefox on Linux')).toBeTruthy()
  expect(list.getByText('This device')).toBeTruthy()
  vi.mocked(endSession).mockRejectedValueOnce(new ApiError('42501', 'Second factor required', 403))
  await user.click(list.getByRole('button', { name: 'Sign out curl/8 (no browser)' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ description: 'Sign in again with your second factor.' }))
  await user.click(list.getByRole('button', { name: 'Sign out curl/8 (no browser)' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Device signed out' }))
  expect(vi.mocked(endSession).mock.calls[1]?.[0]).toMatchObject({ id: 's2' })
})

it('reloads sessions after a failed request', async () => {
  sessions = () => Promise.reject(new ApiError('unknown', 'no', 500))
  const panel = await open()
  const list = panel('Active sessions')
  expect(await list.findByText('Couldn’t load your sessions.')).toBeTruthy()
  sessions = () => Promise.resolve(SESSIONS)
  await user.click(list.getByRole('button', { name: 'Try again' }))
  expect(await list.findByText('This device')).toBeTruthy()
})
