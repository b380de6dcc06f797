import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { closePage, openPage } from '@/testing/open-page'
import { ProfileHead } from './profile-head'

const HEAD = <ProfileHead userId="u1" email="owner@example.org" profile={null} />
const name = (): string | null => screen.getByRole('heading', { level: 1 }).textContent

afterEach(closePage)

it('shows no other name before the username', async () => {
  const row = {
    username: 'Octave',
    role: 'user',
    language: 'fr',
    weekly_mail: true,
    total_votes: 3,
    created_at: '2026-01-01',
  }
  let respond: (response: Response) => void = () => {}
  const { requestsOf } = await openPage(HEAD, {
    profiles: () => new Promise<Response>((resolve) => (respond = resolve)),
  })
  await waitFor(() => expect(requestsOf('profiles')).toHaveLength(1))
  expect(name()).toBe('Chargement…')
  respond(Response.json(row))
  await waitFor(() => expect(name()).toBe('Octave'))
})

it('shows the email name when loading failed', async () => {
  await openPage(HEAD, { profiles: () => new Response(null, { status: 404 }) })
  await waitFor(() => expect(name()).toBe('owner'))
})
