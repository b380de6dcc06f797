import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, refusal, renderAt, SESSION } from '@/testing/render-screen'
import type { KeySummary } from './api'

const KEYS: KeySummary = {
  anon: 'anon-token',
  publishable: 'sb_publishable_x',
  secrets: ['service_role'],
  variables: [],
  source: 'folder',
  signing: [
    { kid: 'second', algorithm: 'ES256', status: 'in_use' },
    { kid: 'first', algorithm: 'ES256', status: 'previously_used' },
  ],
  opaque: [
    { name: 'publishable', id: 'sb_publishable_abc', status: 'in_use' },
    { name: 'secret', id: 'sb_secret_new', status: 'in_use' },
    { name: 'secret', id: 'sb_secret_old', status: 'previously_used' },
  ],
  needs_restart: false,
}

it('shows a secret key only after the password', async () => {
  const sent = answerWith({
    'GET keys': KEYS,
    'GET warnings': { warnings: [] },
    'POST keys/service_role/value': ({ body }: { body: unknown }) =>
      (body as { password: string }).password === 'right'
        ? { value: 'the-secret' }
        : refusal(403, { error: { code: 'wrong_password', message: 'No.' } }),
  })
  const { user } = await renderAt('/settings')
  expect(await screen.findByText('sb_publishable_x')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(await dialog.findByLabelText(/Your password/), 'wrong')
  await user.click(dialog.getByRole('button', { name: 'Show' }))
  expect(await dialog.findByText('This is not your password.')).toBeTruthy()
  await user.clear(dialog.getByLabelText(/Your password/))
  await user.type(dialog.getByLabelText(/Your password/), 'right')
  await user.click(dialog.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText('the-secret')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await expect.poll(() => screen.queryByText('the-secret')).toBeNull()
  expect(sent.filter(({ path }) => path.endsWith('/value')).length).toBe(2)
})

it('rotates and revokes signing keys after a confirmation', async () => {
  const sent = answerWith({
    'GET keys': KEYS,
    'GET warnings': { warnings: [] },
    'POST signing-keys': { changed: ['first'] },
  })
  const { user } = await renderAt('/settings')
  await user.click(await screen.findByRole('button', { name: 'Revoke first' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
  const change = () => sent.find(({ path }) => path === 'signing-keys')?.body
  await expect.poll(change).toEqual({ action: 'revoke', kid: 'first' })
  expect(screen.queryByRole('button', { name: 'Revoke second' })).toBeNull()
})

it('replaces an opaque key and revokes the old', async () => {
  const sent = answerWith({
    'GET keys': KEYS,
    'GET warnings': { warnings: [] },
    'POST opaque-keys/secret': { value: 'sb_secret_made' },
    'DELETE opaque-keys/sb_secret_old': null,
  })
  const { user } = await renderAt('/settings')
  await user.click(await screen.findByRole('button', { name: 'Replace sb_secret_new' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(await dialog.findByLabelText(/Your password/), 'right')
  await user.click(dialog.getByRole('button', { name: 'Replace' }))
  expect(await dialog.findByText('sb_secret_made')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await expect.poll(() => screen.queryByText('sb_secret_made')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Revoke sb_secret_old' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
  await expect.poll(() => sent.some(({ method }) => method === 'DELETE')).toBe(true)
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ password: 'right' })
})

it('shows the settings that define the keys', async () => {
  answerWith({
    'GET keys': { ...KEYS, source: 'secret', signing: [], variables: ['JWT_SECRET'], needs_restart: true },
    'GET warnings': { warnings: [] },
  })
  await renderAt('/settings')
  expect(await screen.findByText(/GOTRUE_JWT_KEYS=/)).toBeTruthy()
  expect(screen.getByText(/changed only there: JWT_SECRET/)).toBeTruthy()
  expect(screen.getByText('Restart every server')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Rotate' })).toBeNull()
})

it('lists warnings with their remedies', async () => {
  answerWith({
    'GET session': { ...SESSION, operator: { ...SESSION.operator, role: 'developer' } },
    'GET keys': KEYS,
    'GET warnings': {
      warnings: [
        { name: 'no_mail_relay', level: 'warning', subjects: [] },
        { name: 'owner_without_second_factor', level: 'info', subjects: ['eve@project.test'] },
        { name: 'no_recent_backup', level: 'info', subjects: [] },
      ],
    },
  })
  await renderAt('/settings')
  expect(await screen.findByText(/Set SMTP_HOST/)).toBeTruthy()
  expect(screen.getByText('eve@project.test')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'To the backups' }).getAttribute('href')).toBe('/backups')
  expect(screen.queryByRole('button', { name: 'Show' })).toBeNull()
})
