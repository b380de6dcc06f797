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

it('keeps the user search in the URL', async () => {
  const sent = answerWith({ [`GET ${USERS}`]: { users: [ADA], aud: 'authenticated' } })
  const { user, router } = await renderAt('/users')
  await screen.findByRole('link', { name: 'Ada' })
  await user.type(screen.getByRole('searchbox', { name: 'Search by address or name' }), 'ada')
  await screen.findByText('1 user')
  await expect.poll(() => router.state.location.search).toBe('?q=ada')
  await expect.poll(() => sent.at(-1)?.path).toBe(`${USERS}?page=1&per_page=50&filter=ada`)
})

it('shows that no account matches', async () => {
  answerWith({ [`GET ${USERS}`]: { users: [] } })
  await renderAt('/users?q=zoe')
  expect(await screen.findByText('No address and no name contains “zoe”.')).toBeTruthy()
})

it('deletes an account after a confirmation', async () => {
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

it('bans for the chosen duration', async () => {
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

it('shows the error of a refused account', async () => {
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

it('shows no change actions to read-only operators', async () => {
  answerWith({
    'GET session': { ...SESSION, operator: { ...SESSION.operator, role: 'read_only' } },
    [`GET ${USERS}`]: { users: [ADA] },
    [`GET ${USERS}/${ADA.id}`]: ADA,
  })
  await renderAt(`/users/${ADA.id}`)
  await screen.findByRole('tab', { name: 'Claims' })
  expect(screen.queryByRole('tab', { name: 'Actions' })).toBeNull()
  expect(screen.queryByRole('tab', { name: 'Act as' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add user' })).toBeNull()
})

const SESSIONS = {
  columns: [],
  rows: [
    [
      '6f1f3a0e-0000-4000-8000-00000000000a',
      '2026-01-01T10:00:00Z',
      '2026-01-02T10:00:00Z',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      '192.0.2.7',
      true,
    ],
  ],
  row_count: 1,
  truncated: false,
  duration_ms: 1,
  command: 'SELECT',
}

it('lists and ends the sessions of accounts', async () => {
  const sent = answerWith({
    [`GET ${USERS}`]: { users: [ADA] },
    [`GET ${USERS}/${ADA.id}`]: ADA,
    'POST query': SESSIONS,
  })
  const { user } = await renderAt(`/users/${ADA.id}`)
  await user.click(await screen.findByRole('tab', { name: 'Sessions' }))
  await user.click(await screen.findByRole('button', { name: 'End the session of Chrome 142 · Linux' }))
  const changes = () =>
    sent.map(({ body }) => body as { query?: string; read_only?: boolean }).filter((body) => body?.read_only === false)
  await expect.poll(() => changes().length).toBe(1)
  expect(changes()[0]?.query).toBe(
    `delete from auth.sessions where user_id = '${ADA.id}' and id = '6f1f3a0e-0000-4000-8000-00000000000a'`,
  )
  await user.click(screen.getByRole('button', { name: 'End all' }))
  const dialog = await screen.findByRole('dialog', { name: 'End all sessions of Ada?' })
  await user.click(within(dialog).getByRole('button', { name: 'End all' }))
  await expect.poll(() => changes().at(-1)?.query).toBe(`delete from auth.sessions where user_id = '${ADA.id}'`)
})

it('sends one request to rest/v1 as the account', async () => {
  const sent = answerWith({
    [`GET ${USERS}`]: { users: [ADA] },
    [`GET ${USERS}/${ADA.id}`]: ADA,
    'GET services/rest/v1/todos?select=*': [{ id: 1 }],
    'POST services/rest/v1/todos': () => refusal(403, { code: '42501', message: 'row security' }),
  })
  const { user } = await renderAt(`/users/${ADA.id}`)
  await user.click(await screen.findByRole('tab', { name: 'Act as' }))
  await user.click(screen.getByRole('button', { name: 'Send as this user' }))
  expect(await screen.findByText('Enter an address.')).toBeTruthy()
  await user.type(screen.getByLabelText('Address below rest/v1'), 'todos?select=*')
  await user.click(screen.getByRole('button', { name: 'Send as this user' }))
  await screen.findByText('200')
  expect(sent.at(-1)?.headers.get('x-console-user')).toBe(ADA.id)
  await user.selectOptions(screen.getByLabelText('Method'), 'POST')
  await user.clear(screen.getByLabelText('Address below rest/v1'))
  await user.type(screen.getByLabelText('Address below rest/v1'), 'todos')
  await user.click(screen.getByLabelText('Body, as JSON'))
  await user.paste('{"id": 2}')
  await user.click(screen.getByRole('button', { name: 'Send as this user' }))
  await screen.findByText('403')
  expect(screen.getByText(/"row security"/)).toBeTruthy()
  expect(sent.at(-1)?.body).toEqual({ id: 2 })
})

it("runs SQL with the account's role and claims", async () => {
  const sent = answerWith({
    [`GET ${USERS}`]: { users: [ADA] },
    [`GET ${USERS}/${ADA.id}`]: ADA,
    'POST query': { ...SESSIONS, columns: [{ name: 'count', type: 'bigint' }], rows: [[7]] },
  })
  const { user } = await renderAt(`/users/${ADA.id}`)
  await user.click(await screen.findByRole('tab', { name: 'Act as' }))
  await user.click(screen.getByRole('radio', { name: 'SQL' }))
  await user.type(await screen.findByLabelText('Statement'), 'select count(*) from todos')
  await user.click(screen.getByRole('button', { name: 'Run as this user' }))
  expect(await screen.findByText(/"count": 7/)).toBeTruthy()
  const run = sent.at(-1)?.body as { query: string; read_only: boolean } | undefined
  expect(run?.read_only).toBe(true)
  expect(run?.query).toContain(`"sub":"${ADA.id}"`)
  expect(run?.query).toContain("set_config('role', 'authenticated', true);\nselect count(*) from todos")
})
