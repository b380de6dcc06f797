import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, refusal, renderAt, SESSION } from '@/testing/render-screen'

const MAIL = {
  kind: 'recovery',
  is_notice: false,
  enabled: true,
  body: 'built_in',
  has_own_subject: false,
  settings: {
    subject: ['GOTRUE_MAILER_SUBJECTS_RECOVERY', 'auth.email.template.recovery.subject'],
    body: ['GOTRUE_MAILER_TEMPLATES_RECOVERY', 'auth.email.template.recovery.content_path'],
    enabled: null,
  },
}
const MAILS = { relay: null, language: 'en', mails: [MAIL] }
const SAMPLE = { subject: 'Reset your password', html: '<p>123456</p><script>x()</script>', text: 'Code: 123456' }

it('shows a mail in a sandboxed frame', async () => {
  answerWith({ 'GET services/project/mails': MAILS, 'GET services/project/mails/recovery': SAMPLE })
  await renderAt('/authentication')
  const frame = await screen.findByTitle<HTMLIFrameElement>('Preview: Reset the password')
  expect(frame.getAttribute('sandbox')).toBe('')
  expect(frame.srcdoc).toBe(SAMPLE.html)
  expect(screen.getByText('GOTRUE_MAILER_TEMPLATES_RECOVERY')).toBeTruthy()
  expect(screen.getByText('Mails are captured and not sent')).toBeTruthy()
})

it('sends a test mail to the operator', async () => {
  const sent = answerWith({
    'GET services/project/mails': MAILS,
    'GET services/project/mails/recovery': SAMPLE,
    'POST services/project/mails/recovery/test': { to: SESSION.operator.email, is_captured: false },
  })
  const { user } = await renderAt('/authentication')
  await user.click(await screen.findByRole('button', { name: 'Send a test to ada@project.test' }))
  const request = sent.find(({ method }) => method === 'POST')
  expect([request?.path, request?.body]).toEqual(['services/project/mails/recovery/test?language=en', undefined])
})

it('shows the callback address of a provider', async () => {
  const provider = {
    name: 'github',
    enabled: true,
    client_id: 'abc',
    callback: 'https://x.test/auth/v1/callback',
    variable: 'GOTRUE_EXTERNAL_GITHUB_',
    key: 'auth.external.github',
  }
  answerWith({
    'GET services/project/providers': {
      providers: [provider, { ...provider, name: 'gitlab', enabled: false, client_id: '' }],
      custom: { enabled: false, callback: provider.callback },
    },
  })
  const { user } = await renderAt('/authentication/providers')
  expect(await screen.findByText('https://x.test/auth/v1/callback')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'gitlab' })).toBeNull()
  await user.click(screen.getByRole('switch', { name: 'Show those that are off' }))
  expect(within(screen.getByRole('region', { name: 'gitlab' })).getByText('Off')).toBeTruthy()
})

it('adds a custom provider and disables it', async () => {
  const corp = { provider_type: 'oauth2', identifier: 'custom:corp', name: 'Corp', enabled: true }
  const providers: unknown[] = []
  const sent = answerWith({
    'GET services/project/providers': { providers: [], custom: { enabled: true, callback: 'https://x.test/callback' } },
    'GET services/auth/v1/admin/custom-providers': () => ({ providers: providers }),
    'POST services/auth/v1/admin/custom-providers': () => {
      providers.push(corp)
      return corp
    },
    'PUT services/auth/v1/admin/custom-providers/custom%3Acorp': { ...corp, enabled: false },
  })
  const { user } = await renderAt('/authentication/providers')
  expect(await screen.findByText('None was added.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add a provider' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByText('OAuth 2'))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(dialog.getAllByText('An address with https is needed, or one of this machine.')).toHaveLength(3)
  const fields = {
    Name: 'Corp',
    Identifier: 'corp',
    'Address of the sign-in page': 'https://corp.test/authorize',
    'Address for tokens': 'https://corp.test/token',
    'Address of the profile': 'https://corp.test/me',
    'Client id': 'ours',
    'Client secret': 'hidden',
    Scopes: 'email profile',
  }
  for (const [label, value] of Object.entries(fields)) await user.type(dialog.getByLabelText(label), value)
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  await user.click(await screen.findByRole('button', { name: 'Actions for Corp' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Switch off' }))
  await expect.poll(() => sent.find(({ method }) => method === 'PUT')?.body).toEqual({ enabled: false })
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    provider_type: 'oauth2',
    name: 'Corp',
    identifier: 'custom:corp',
    client_id: 'ours',
    client_secret: 'hidden',
    scopes: ['email', 'profile'],
    authorization_url: 'https://corp.test/authorize',
    token_url: 'https://corp.test/token',
    userinfo_url: 'https://corp.test/me',
  })
})

it('shows where there is no limit', async () => {
  const limit = { service: 'auth', variable: 'V', key: 'k' }
  answerWith({
    'GET services/project/limits': {
      limits: [
        { ...limit, name: 'auth.otp', value: 30, unit: 'five_minutes' },
        { ...limit, name: 'auth.emails', value: null, unit: 'hour' },
      ],
    },
  })
  await renderAt('/authentication/limits')
  expect(await screen.findByText('30 in five minutes')).toBeTruthy()
  expect(screen.getByText('No limit')).toBeTruthy()
})

it('offers a retry when settings fail to load', async () => {
  answerWith({ 'GET services/project/limits': refusal(500, { error: { code: 'internal', message: 'x' } }) })
  await renderAt('/authentication/limits')
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})
