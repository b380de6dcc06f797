import { act, screen } from '@testing-library/react'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closePage, openPage } from '@/testing/open-page'
import { Wordmark } from './logo'
import { NotFoundState } from './not-found-state'
import { RoleBadge } from './role-badge'
import { chooseTheme, useTheme } from './theme'

let wish: EventTarget & { matches: boolean }

beforeEach(() => {
  wish = Object.assign(new EventTarget(), { matches: false })
  vi.stubGlobal('matchMedia', () => wish)
  delete document.documentElement.dataset.theme
  localStorage.clear()
})
afterEach(closePage)

it.each([
  ['founder', true, 'Fondateur'],
  ['admin', true, 'Administrateur'],
  ['user', true, 'Propriétaire'],
  ['user', false, 'Joueur'],
] as const)('says what a %s is (owns servers: %s)', async (role, ownsServers, words) => {
  await openPage(<RoleBadge profile={{ role, ownsServers }} />, {})
  expect(screen.getByText(words)).toBeTruthy()
})

it('not-found state explains, links onward, sets noindex', async () => {
  await openPage(
    <NotFoundState title="Serveur introuvable" link={{ to: '/', label: 'Voir le classement' }}>
      Il a peut-être changé d’adresse.
    </NotFoundState>,
    {},
  )
  expect(screen.getByRole('heading', { level: 1, name: 'Serveur introuvable' })).toBeTruthy()
  expect(screen.getByText('Il a peut-être changé d’adresse.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Voir le classement' }).getAttribute('href')).toBe('/')
  await vi.waitFor(() =>
    expect(document.head.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex'),
  )
  expect(document.title).toBe('Page introuvable | Palmarès')
})

it('wordmark has an accessible name and its size', async () => {
  await openPage(<Wordmark height={44} />, {})
  const name = screen.getByRole('img', { name: 'Palmarès' })
  expect([name.getAttribute('width'), name.getAttribute('height')]).toEqual(['200', '44'])
})

it('theme follows the system until one is chosen', () => {
  const { result } = renderHook(useTheme)
  expect(result.current).toBe('dark')
  act(() => {
    wish.matches = true
    wish.dispatchEvent(new Event('change'))
  })
  expect(result.current).toBe('light')
  act(() => chooseTheme('dark'))
  expect(result.current).toBe('dark')
  expect(document.documentElement.dataset.theme).toBe('dark')
  expect(localStorage.getItem('palmares-theme')).toBe('dark')
})

it('follows what was chosen in another tab', () => {
  const { result } = renderHook(useTheme)
  act(() => {
    localStorage.setItem('palmares-theme', 'light')
    window.dispatchEvent(new StorageEvent('storage', { key: 'palmares-theme' }))
  })
  expect(result.current).toBe('light')
  expect(document.documentElement.dataset.theme).toBe('light')
})

it.each(['blue', '', '"light"'])('takes %j for no choice', (stored) => {
  localStorage.setItem('palmares-theme', stored)
  expect(renderHook(useTheme).result.current).toBe('dark')
})
