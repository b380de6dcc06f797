import { screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { passkeySupport } from '@/api/passkeys'
import { answerWith, refusal, renderAt } from '@/testing/render-screen'

const LAPTOP = {
  id: 'p1',
  name: 'Laptop',
  domain: 'localhost',
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: null,
}

function stubAuthenticator() {
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, {
      parseRequestOptionsFromJSON: (options: unknown) => options,
      parseCreationOptionsFromJSON: (options: unknown) => options,
    }),
  )
  const create = () => Promise.resolve({ toJSON: () => ({ id: 'key' }) })
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } })
}

afterEach(() => vi.stubGlobal('PublicKeyCredential', undefined))

it('adds a passkey after the password', async () => {
  stubAuthenticator()
  let isWrong = true
  const sent = answerWith({
    'GET passkeys': { passkeys: [] },
    'POST passkeys/challenge': () =>
      isWrong
        ? refusal(403, { error: { code: 'wrong_password', message: 'No.' } })
        : { challenge_id: 'c1', options: { challenge: 'AA' } },
    'POST passkeys': { id: 'p1' },
  })
  const { user } = await renderAt('/settings')
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a passkey' }))
  await user.clear(dialog.getByLabelText('Name'))
  await user.type(dialog.getByLabelText('Name'), 'Laptop')
  await user.type(dialog.getByLabelText('Your password'), 'a password')
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  expect(await dialog.findByText('This is not your password.')).toBeTruthy()
  isWrong = false
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  await expect
    .poll(() => sent.find(({ method, path }) => method === 'POST' && path === 'passkeys')?.body)
    .toEqual({
      challenge_id: 'c1',
      credential: { id: 'key' },
      name: 'Laptop',
    })
})

it('renames and removes passkeys', async () => {
  stubAuthenticator()
  const sent = answerWith({
    'GET passkeys': { passkeys: [LAPTOP, { ...LAPTOP, id: 'p2', name: 'Key', domain: 'admin.example' }] },
    'PATCH passkeys/p1': null,
    'DELETE passkeys/p2': null,
  })
  const { user } = await renderAt('/settings')
  expect(await screen.findByText(/admin\.example/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Rename Laptop' }))
  const name = await screen.findByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'Phone')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => sent.find(({ method }) => method === 'PATCH')?.body).toEqual({ name: 'Phone' })
  await user.click(await screen.findByRole('button', { name: 'Remove Key' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Key?' }))
  await user.type(dialog.getByLabelText('Your password'), 'a password')
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await expect.poll(() => sent.find(({ method }) => method === 'DELETE')?.body).toEqual({ password: 'a password' })
})

it('explains why passkeys are unavailable', async () => {
  answerWith({ 'GET passkeys': { passkeys: [] } })
  await renderAt('/settings')
  expect(await screen.findByText('This browser does not support passkeys.')).toBeTruthy()
  stubAuthenticator()
  expect(passkeySupport('localhost')).toBe('yes')
  for (const address of ['127.0.0.1', '[::1]', '192.0.2.7']) expect(passkeySupport(address)).toBe('no_domain')
})
