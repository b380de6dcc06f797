import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { SearchBox } from './search-box'

const user = userEvent.setup()
const ask = vi.fn<(url: URL) => Response | Promise<Response>>()
const found = (name: string) => ({
  id: name,
  slug: name.toLowerCase(),
  name,
  description: 'Un serveur.',
  total_votes: 9,
  online_players: 3,
  max_players: 50,
  is_online: true,
  games: { name: 'Rust', logo_url: null, is_steam: true },
})

function Address() {
  return <output aria-label="address">{useLocation().pathname}</output>
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
  return screen.getByRole('combobox', { name: 'Search for a server' })
}

beforeEach(() => {
  ask.mockReset()
  vi.stubGlobal('fetch', async (url: string | URL) => ask(new URL(String(url))))
})
afterEach(() => vi.unstubAllGlobals())

it('asks nothing below two characters', async () => {
  await user.type(await show(), 'a')
  expect(screen.queryByText('Searching…')).toBeNull()
  expect(ask).not.toHaveBeenCalled()
})

it('shows what it finds, opens the chosen one with the keys and clears itself', async () => {
  ask.mockImplementation(() => Response.json([found('Astra'), found('Astride')]))
  const field = await show()
  await user.type(field, 'ast')
  expect(screen.getByText('Searching…')).toBeTruthy()
  expect(await screen.findAllByRole('option')).toHaveLength(2)
  expect(ask).toHaveBeenCalledTimes(1)
  const query = ask.mock.calls[0]![0].searchParams
  expect(query.get('name')).toBe('ilike.%ast%')
  expect([query.get('is_approved'), query.get('is_hidden'), query.get('limit')]).toEqual(['eq.true', 'eq.false', '5'])

  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(screen.getAllByRole('option')[1]!.getAttribute('aria-selected')).toBe('true')
  await user.keyboard('{Enter}')
  expect(screen.getByLabelText('address').textContent).toBe('/en/server/astride')
  expect((field as HTMLInputElement).value).toBe('')
  expect(screen.queryByRole('option')).toBeNull()
})

it('says that nothing matches, naming what was looked for', async () => {
  ask.mockImplementation(() => Response.json([]))
  await user.type(await show(), 'zzz')
  expect(await screen.findByText('No server matches “zzz”.')).toBeTruthy()
})

it('says that the search failed and tries again', async () => {
  ask.mockImplementation(() => Response.json({ code: 'XX000', message: 'boom' }, { status: 400 }))
  await user.type(await show(), 'ast')
  expect(await screen.findByText('The search did not work.', {}, { timeout: 5000 })).toBeTruthy()
  ask.mockImplementation(() => Response.json([found('Astra')]))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('option')).toBeTruthy()
})

it('closes with Escape and with a click outside', async () => {
  ask.mockImplementation(() => Response.json([found('Astra')]))
  const field = await show()
  await user.type(field, 'ast')
  await screen.findByRole('option')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('option')).toBeNull()
  await user.type(field, 'r')
  await screen.findByRole('option')
  await user.click(screen.getByRole('button', { name: 'ailleurs' }))
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
})
