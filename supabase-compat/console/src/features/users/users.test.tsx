import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, refusal, renderAt, SESSION } from '@/testing/render-screen'

const ADA = {
  id: '6f1f3a0e-0000-4000-8000-000000000001',
  aud: 'authenticated',
  role: 'authenticated',
  email: 'ada@notes.test',
  phone: '',
  confirmed_at: '2026-01-01T00:00:00Z',
  created_at: '2026-01-01T00:00:00Z',
  is_anonymous: false,
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: { full_name: 'Ada' },
  identities: [{ id: '1', provider: 'email', identity_data: { email: 'ada@notes.test' } }],
  factors: [],
}
const USERS = 'services/auth/v1/admin/users'

it('searches by the address and keeps the search in the address', async () => {
  const sent = answerWith({ [`GET ${USERS}`]: { users: [ADA], aud: 'authenticated' } })
  const { user, router } = await renderAt('/users')
  await screen.findByRole('link', { name: 'Ada' })
  await user.type(screen.getByRole('searchbox', { name: 'Search by address or name' }), 'ada')
  await screen.findByText('1 user')
  await expect.poll(() => router.state.location.search).toBe('?q=ada')
  await expect.poll(() => sent.at(-1)?.path).toBe(`${USERS}?page=1&per_page=50&filter=ada`)
})

it('says that nobody matches', async () => {
  answerWith({ [`GET ${USERS}`]: { users: [] } })
  await renderAt('/users?q=zoe')
  expect(await screen.findByText('No address and no name contains “zoe”.')).toBeTruthy()
})

it('deletes an account after it was confirmed', async () => {
  const sent = answerWith({
    [`GET ${USERS}`]: { users: [ADA] },
    [`GET ${USERS}/${ADA.id}`]: ADA,
    [`DELETE ${USERS}/${ADA.id}`]: null,
  })
  const { user, router } = await renderAt(`/users/${ADA.id}`)
  await user.click(await screen.findByRole('tab', { name: 'Actions' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Ada?' })
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await expect.poll(() => sent.some(({ method }) => method === 'DELETE')).toBe(true)
  await expect.poll(() => router.state.location.pathname).toBe('/users')
})

it('bans for the time that was chosen', async () => {
  const sent = answerWith({
    [`GET ${USERS}`]: { users: [ADA] },
    [`GET ${USERS}/${ADA.id}`]: ADA,
    [`PUT ${USERS}/${ADA.id}`]: ADA,
  })
  const { user } = await renderAt(`/users/${ADA.id}`)
  await user.click(await screen.findByRole('tab', { name: 'Actions' }))
  await user.click(screen.getByRole('button', { name: 'Ban for' }))
  await user.click(await screen.findByRole('menuitem', { name: 'One week' }))
  await expect.poll(() => sent.find(({ method }) => method === 'PUT')?.body).toEqual({ ban_duration: '168h' })
})

it('shows a refusal beside the form of a new account', async () => {
  answerWith({
    [`GET ${USERS}`]: { users: [] },
    [`POST ${USERS}`]: () => refusal(422, { code: 422, error_code: 'email_exists', msg: 'The address is taken.' }),
  })
  const { user } = await renderAt('/users')
  await user.click(await screen.findByRole('button', { name: 'Add user' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Create an account' }))
  await user.type(await screen.findByLabelText('Email address'), 'ada@notes.test')
  await user.click(screen.getByRole('button', { name: 'Create' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The address is taken.')
})

it('offers no change to whoever may only read', async () => {
  answerWith({
    'GET session': { ...SESSION, operator: { ...SESSION.operator, role: 'read_only' } },
    [`GET ${USERS}`]: { users: [ADA] },
    [`GET ${USERS}/${ADA.id}`]: ADA,
  })
  await renderAt(`/users/${ADA.id}`)
  await screen.findByRole('tab', { name: 'Claims' })
  expect(screen.queryByRole('tab', { name: 'Actions' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add user' })).toBeNull()
})
