import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, refusal, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { SearchBox } from './search-box'

const user = userEvent.setup()
const ask = vi.fn<(request: ApiRequest) => Response | Promise<Response>>()
const found = (name: string, more: object = {}) => ({
  kind: 'server',
  id: name,
  slug: name.toLowerCase(),
  page_slug: null,
  name,
  logo_url: null,
  color: null,
  description: 'Un **vrai** serveur.',
  game_name: 'Rust',
  servers: null,
  total_votes: 9,
  online_players: 3,
  max_players: 50,
  is_online: true,
  status_checked_at: '2026-11-21T12:00:00Z',
  ...more,
})
const game = (name: string) => found(name, { kind: 'game', page_slug: name.toLowerCase(), servers: 26 })

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="address">{pathname + search}</output>
}

async function show() {
  await renderPage(
    <>
      <SearchBox />
      <Address />
      <button type="button">ailleurs</button>
    </>,
    { language: 'en', path: '/en' },
  )
  return screen.getByRole('combobox', { name: 'Search for a server, a game or a tag' })
}

beforeEach(() => {
  ask.mockReset()
  answers({ 'rpc/search_site': ask })
})
afterEach(() => vi.unstubAllGlobals())

it('asks nothing below two characters', async () => {
  await user.type(await show(), 'a')
  expect(screen.queryByText('Searching…')).toBeNull()
  expect(ask).not.toHaveBeenCalled()
})

it('opens the selected result by keyboard', async () => {
  ask.mockImplementation(() => Response.json([found('Astra'), found('Astride')]))
  const field = await show()
  await user.type(field, 'ast')
  expect(screen.getByText('Searching…')).toBeTruthy()
  // The last option leads to all matching servers.
  expect(await screen.findAllByRole('option')).toHaveLength(3)
  expect(ask).toHaveBeenCalledTimes(1)
  expect(screen.getAllByText('vrai')[0]!.tagName).toBe('STRONG')

  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(screen.getAllByRole('option')[1]!.getAttribute('aria-selected')).toBe('true')
  await user.keyboard('{Enter}')
  expect(screen.getByLabelText('address').textContent).toBe('/en/server/astride')
  expect((field as HTMLInputElement).value).toBe('')
  expect(screen.queryByRole('option')).toBeNull()
})

it('shows the query when nothing matches', async () => {
  ask.mockImplementation(() => Response.json([]))
  await user.type(await show(), 'zzz')
  expect(await screen.findByText('Nothing matches “zzz”.')).toBeTruthy()
})

it('says that the search failed and tries again', async () => {
  ask.mockImplementation(refusal('XX000', 400))
  await user.type(await show(), 'ast')
  expect(await screen.findByText('The search failed.', {}, { timeout: 5000 })).toBeTruthy()
  ask.mockImplementation(() => Response.json([found('Astra')]))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findAllByRole('option')).toHaveLength(2)
})

it('closes with Escape and with a click outside', async () => {
  ask.mockImplementation(() => Response.json([found('Astra')]))
  const field = await show()
  await user.type(field, 'ast')
  await screen.findAllByRole('option')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('option')).toBeNull()
  await user.type(field, 'r')
  await screen.findAllByRole('option')
  await user.click(screen.getByRole('button', { name: 'ailleurs' }))
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
})

it('lists games first and opens with Enter', async () => {
  ask.mockImplementation(() => Response.json([game('Rust'), found('Rustopia', { status_checked_at: null })]))
  await user.type(await show(), 'rust')
  const options = await screen.findAllByRole('option')
  expect(options[0]!.textContent).toContain('Rust26 servers')
  // The status of the server has not been checked yet.
  expect(options[1]!.textContent).not.toMatch(/Online|Offline/)
  await user.keyboard('{Enter}')
  expect(screen.getByLabelText('address').textContent).toBe('/en/game/rust')
})

it('links a game to its shared page', async () => {
  ask.mockImplementation(() => Response.json([{ ...game('Flyff'), page_slug: 'minecraft' }]))
  await user.type(await show(), 'fly')
  await user.click(await screen.findByRole('option', { name: /Flyff/ }))
  expect(screen.getByLabelText('address').textContent).toBe('/en/game/minecraft?game=flyff')
})

it('leads to the ranking of what fits', async () => {
  ask.mockImplementation(() => Response.json([found('Astra')]))
  await user.type(await show(), 'ast')
  await user.click(await screen.findByRole('option', { name: /See all servers for “ast”/ }))
  expect(screen.getByLabelText('address').textContent).toBe('/en?q=ast')
})
