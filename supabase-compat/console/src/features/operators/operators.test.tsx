import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, refusal, renderAt } from '@/testing/render-screen'

const ADA = {
  id: 'o1',
  email: 'ada@project.test',
  role: 'owner',
  created_at: '2026-01-01T00:00:00Z',
  last_seen_at: null,
  second_factor: false,
}

it('shows an invitation once', async () => {
  const sent = answerWith({
    'GET operators': { operators: [ADA] },
    'POST operators/invitations': {
      url: 'http://127.0.0.1:54321/console/setup?token=t',
      expires_at: '2026-01-02T00:00:00Z',
    },
  })
  const { user } = await renderAt('/operators')
  await user.click(await screen.findByRole('button', { name: 'Invite' }))
  await user.click(await screen.findByRole('radio', { name: /Read only/ }))
  await user.click(screen.getByRole('button', { name: 'Make a link' }))
  expect(await screen.findByText('http://127.0.0.1:54321/console/setup?token=t')).toBeTruthy()
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ role: 'read_only' })
})

it('keeps the role of the last owner', async () => {
  answerWith({
    'GET operators': { operators: [ADA] },
    'PATCH operators/o1': () => refusal(409, { error: { code: 'last_owner', message: 'The last owner.' } }),
  })
  const { user } = await renderAt('/operators')
  const role = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Role of ada@project.test' })
  await user.selectOptions(role, 'developer')
  await expect.poll(() => role.disabled).toBe(false)
  expect(role.value).toBe('owner')
})
