import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, refusal, renderAt, SESSION } from '@/testing/render-screen'

it('redirects visitors without a session to login', async () => {
  answerWith({ 'GET session': () => refusal(401, { error: { code: 'not_signed_in', message: 'Sign in.' } }) })
  const { router } = await renderAt('/users?page=2')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(router.state.location.search).toBe('?next=%2Fusers%3Fpage%3D2')
})

it('hides the operators link from developers', async () => {
  answerWith({ 'GET session': { ...SESSION, operator: { ...SESSION.operator, role: 'developer' } } })
  await renderAt('/settings')
  await screen.findByRole('link', { name: 'Audit log' })
  expect(screen.queryByRole('link', { name: 'Operators' })).toBeNull()
})

it('shows the chosen language', async () => {
  answerWith({})
  await renderAt('/settings', 'fr')
  expect(await screen.findByRole('link', { name: 'Utilisateurs' })).toBeTruthy()
})
