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

it('shows a mail in a frame that runs nothing', async () => {
  answerWith({ 'GET services/project/mails': MAILS, 'GET services/project/mails/recovery': SAMPLE })
  await renderAt('/authentication')
  const frame = await screen.findByTitle<HTMLIFrameElement>('Preview: Reset the password')
  expect(frame.getAttribute('sandbox')).toBe('')
  expect(frame.srcdoc).toBe(SAMPLE.html)
  expect(screen.getByText('GOTRUE_MAILER_TEMPLATES_RECOVERY')).toBeTruthy()
  expect(screen.getByText('Mails are captured and not sent')).toBeTruthy()
})

it('sends a test to whoever is signed in', async () => {
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

it('gives the address that a provider needs', async () => {
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
    },
  })
  const { user } = await renderAt('/authentication/providers')
  expect(await screen.findByText('https://x.test/auth/v1/callback')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'gitlab' })).toBeNull()
  await user.click(screen.getByRole('switch', { name: 'Show those that are off' }))
  expect(within(screen.getByRole('region', { name: 'gitlab' })).getByText('Off')).toBeTruthy()
})

it('says where no limit holds', async () => {
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

it('offers to try again when the settings do not come', async () => {
  answerWith({ 'GET services/project/limits': refusal(500, { error: { code: 'internal', message: 'x' } }) })
  await renderAt('/authentication/limits')
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})
