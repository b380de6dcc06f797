import { screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { answerWith, refusal, renderAt, SESSION, type SentRequest } from '@/testing/render-screen'
import { destinationOf } from './destination'

const SIGNED_OUT = () => refusal(401, { error: { code: 'not_signed_in', message: 'Sign in.' } })

async function fill(user: Awaited<ReturnType<typeof renderAt>>['user']) {
  await user.type(await screen.findByLabelText('Email address *'), 'ada@project.test')
  await user.type(screen.getByLabelText('Password *'), 'correct horse battery')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

it('asks for the second factor, then redirects', async () => {
  const sent = answerWith({
    'GET session': SIGNED_OUT,
    'POST session': ({ body }: SentRequest) =>
      (body as { code?: string }).code === '123456'
        ? SESSION
        : refusal(401, { error: { code: 'code_required', message: 'A code is needed.' } }),
  })
  const { user, router } = await renderAt('/login?next=%2Fsettings')
  await fill(user)
  await user.type(await screen.findByLabelText('Code of six digits *'), '123 456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByRole('heading', { name: 'Settings' })
  expect(router.state.location.pathname).toBe('/settings')
  const last = sent.findLast(({ method }) => method === 'POST')
  expect(last?.body).toEqual({ email: 'ada@project.test', password: 'correct horse battery', code: '123456' })
  expect(last?.headers.get('x-console-request')).toBe('1')
})

it('shows an error for wrong credentials', async () => {
  answerWith({
    'GET session': SIGNED_OUT,
    'POST session': () => refusal(401, { error: { code: 'invalid_credentials', message: 'No.' } }),
  })
  const { user } = await renderAt('/login')
  await fill(user)
  expect((await screen.findByRole('alert')).textContent).toContain('The address or the password is wrong.')
})

it('creates the first account with a setup link', async () => {
  const sent = answerWith({ 'GET setup': { role: 'owner' }, 'POST setup': SESSION })
  const { user, router } = await renderAt('/setup?token=abc')
  await user.type(await screen.findByLabelText('Email address'), 'ada@project.test')
  await user.type(screen.getByLabelText('Choose a password'), 'short')
  await user.click(screen.getByRole('button', { name: 'Create the account' }))
  expect(await screen.findByText('The password has fewer than 12 characters.')).toBeTruthy()
  await user.type(screen.getByLabelText('Choose a password'), ' but longer now')
  await user.click(screen.getByRole('button', { name: 'Create the account' }))
  await screen.findByRole('heading', { name: 'Overview' })
  expect(router.state.location.pathname).toBe('/overview')
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    token: 'abc',
    email: 'ada@project.test',
    password: 'short but longer now',
  })
})

it('explains that a setup link was used', async () => {
  answerWith({ 'GET setup': () => refusal(410, { error: { code: 'link_expired', message: 'Expired.' } }) })
  await renderAt('/setup?token=old')
  expect(await screen.findByRole('heading', { name: 'This link is no longer valid' })).toBeTruthy()
})

it('redirects only to paths of the console', () => {
  expect(destinationOf('/users?q=a')).toBe('/users?q=a')
  for (const address of ['//evil.test', '/\\evil.test', 'https://evil.test', null])
    expect(destinationOf(address)).toBe('/overview')
})

/** Stubs an authenticator that responds with `answer`. */
function stubAuthenticator(answer: () => Promise<unknown>) {
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, { parseRequestOptionsFromJSON: (options: unknown) => options }),
  )
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get: answer } })
}

const CREDENTIAL = { toJSON: () => ({ id: 'key' }) }

afterEach(() => vi.stubGlobal('PublicKeyCredential', undefined))

it('signs in with a passkey alone', async () => {
  stubAuthenticator(() => Promise.resolve(CREDENTIAL))
  const sent = answerWith({
    'GET session': SIGNED_OUT,
    'POST session/challenge': { challenge_id: 'c1', options: { challenge: 'AA' } },
    'POST session/passkey': SESSION,
  })
  const { user, router } = await renderAt('/login?next=%2Fsettings')
  await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
  await expect.poll(() => router.state.location.pathname).toBe('/settings')
  expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
    challenge_id: 'c1',
    credential: { id: 'key' },
  })
})

it('shows that the browser returned no passkey', async () => {
  stubAuthenticator(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
  answerWith({
    'GET session': SIGNED_OUT,
    'POST session/challenge': { challenge_id: 'c1', options: { challenge: 'AA' } },
  })
  const { user } = await renderAt('/login')
  await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The browser showed no passkey.')
})

it('asks for the passkey after the password', async () => {
  stubAuthenticator(() => Promise.resolve(CREDENTIAL))
  const passkey = { challenge_id: 'c2', options: { challenge: 'AA' } }
  const sent = answerWith({
    'GET session': SIGNED_OUT,
    'POST session': ({ body }: SentRequest) =>
      (body as { passkey?: unknown }).passkey
        ? SESSION
        : refusal(401, { error: { code: 'passkey_required', message: 'Show it.', passkey } }),
  })
  const { user } = await renderAt('/login')
  await fill(user)
  await screen.findByText('Confirm with your passkey that it is you.')
  expect(screen.queryByLabelText('Code of six digits *')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Use your passkey' }))
  await screen.findByRole('heading', { name: 'Overview' })
  expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
    email: 'ada@project.test',
    password: 'correct horse battery',
    passkey: { challenge_id: 'c2', credential: { id: 'key' } },
  })
})

it('offers both code and passkey', async () => {
  stubAuthenticator(() => Promise.resolve(CREDENTIAL))
  const passkey = { challenge_id: 'c3', options: { challenge: 'AA' } }
  answerWith({
    'GET session': SIGNED_OUT,
    'POST session': ({ body }: SentRequest) =>
      (body as { passkey?: unknown }).passkey
        ? refusal(403, { error: { code: 'passkey_refused', message: 'No.' } })
        : refusal(401, { error: { code: 'code_required', message: 'Show it.', passkey } }),
  })
  const { user } = await renderAt('/login')
  await fill(user)
  await screen.findByLabelText('Code of six digits *')
  await user.click(screen.getByRole('button', { name: 'Use your passkey' }))
  expect((await screen.findByRole('alert')).textContent).toContain('This passkey was not accepted.')
  await user.click(screen.getByRole('button', { name: 'Start again' }))
  expect(await screen.findByLabelText('Password *')).toBeTruthy()
})

it('shows the domain where a passkey works', async () => {
  answerWith({
    'GET session': SIGNED_OUT,
    'POST session': () =>
      refusal(401, { error: { code: 'passkey_elsewhere', message: 'There.', domain: 'admin.example' } }),
  })
  const { user } = await renderAt('/login')
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull()
  await fill(user)
  expect((await screen.findByRole('alert')).textContent).toContain('Your passkey works at admin.example.')
})
