import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Access as Needs } from '@/lib/routing/pages'
import { answers, persona } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { signInAsAda, signOut } from '@/testing/sign-in'
import { Access } from './access'

const user = userEvent.setup()
let profile: () => Response | Promise<Response>

beforeEach(() => {
  profile = () => Response.json({ role: 'user', username: 'Ada', servers: [] })
  answers({ ...persona('player'), profiles: () => profile() })
})
afterEach(async () => {
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

const open = (needs: Needs) => renderPage(<Access needs={needs}>le contenu</Access>)

it('lets everybody see what is for everybody', async () => {
  await open('everyone')
  expect(screen.getByText('le contenu')).toBeTruthy()
})

it.each(['signed-in', 'owner', 'staff'] as const)('asks guests to sign in for %s access', async (needs) => {
  await open(needs)
  expect(await screen.findByRole('heading', { level: 1, name: 'Connectez-vous pour continuer' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Se connecter' })).toBeTruthy()
  expect(screen.queryByText('le contenu')).toBeNull()
})

it.each([
  ['owner', 'user', 'Il vous faut un serveur'],
  ['staff', 'user', 'Action réservée aux fondateurs et administrateurs'],
] as const)('refuses what needs %s to a %s', async (needs, role, title) => {
  profile = () => Response.json({ role, username: 'Ada', servers: [] })
  await signInAsAda()
  await open(needs)
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
  expect(screen.queryByText('le contenu')).toBeNull()
})

it.each([
  ['signed-in', 'user', []],
  ['owner', 'user', [{ id: 's' }]],
  ['staff', 'admin', []],
  ['staff', 'founder', []],
] as const)('grants %s access to %s with servers %j', async (needs, role, servers) => {
  profile = () => Response.json({ role, username: 'Ada', servers })
  await signInAsAda()
  await open(needs)
  expect(await screen.findByText('le contenu')).toBeTruthy()
})

it('retries an account that failed to load', async () => {
  profile = () => Response.json({ code: 'XX000', message: 'boom' }, { status: 500 })
  await signInAsAda()
  await open('staff')
  const retry = await screen.findByRole('button', { name: 'Réessayer' })
  expect(screen.getByRole('heading', { level: 1, name: 'Impossible de charger votre compte' })).toBeTruthy()
  profile = () => Response.json({ role: 'admin', username: 'Ada', servers: [] })
  await user.click(retry)
  expect(await screen.findByText('le contenu')).toBeTruthy()
})

it('waits until it is known who is here', async () => {
  let answer: ((_: Response) => void) | undefined
  profile = () => new Promise((resolve) => (answer = resolve))
  await signInAsAda()
  await open('staff')
  expect(await screen.findByRole('status', { name: 'Chargement de la page…' })).toBeTruthy()
  await waitFor(() => expect(answer).toBeDefined())
  answer?.(Response.json({ role: 'admin', username: 'Ada', servers: [] }))
  await waitFor(() => expect(screen.getByText('le contenu')).toBeTruthy())
})
