import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { siteToday } from '@/lib/time/site-day'
import { clearStage, openServer, SERVER, SERVER_ID, setStage, stage } from '@/testing/server-stage'
import { ServerPage } from './server-page'

const PAGE = <ServerPage />
const user = userEvent.setup()

beforeEach(setStage)
afterEach(clearStage)

it('shows server details and records one visit', async () => {
  await openServer(PAGE, '/serveur/astra')
  expect(await screen.findByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
  expect(screen.getByText('calme').tagName).toBe('STRONG')
  expect(screen.getByText('12 / 100 joueurs')).toBeTruthy()
  expect(await screen.findByText('901')).toBeTruthy()
  const history = await screen.findByRole('table', { name: 'Votes des 7 derniers jours' })
  expect(within(history).getAllByRole('row')).toHaveLength(4)
  expect(await screen.findByText('Très "bien"')).toBeTruthy()
  await waitFor(() => expect(stage.clicks).toEqual([{ serverId: SERVER_ID }]))
  expect(document.title).toContain('Astra & Co')
})

it('keeps the page when a section fails', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  stage.days = { none: 'of the rows that were asked for' }
  await openServer(PAGE, '/serveur/astra')
  expect(await screen.findByText('Impossible d’afficher cette partie.')).toBeTruthy()
  expect(await screen.findByText('Très "bien"')).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Statistiques' })).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
  consoleError.mockRestore()
})

it('shows uptime and players by day and hour', async () => {
  const hours = Array.from({ length: 24 }, (_, hour) => (hour === 20 ? 31 : null))
  const day = { method: 'minecraft', watched_seconds: 1000, told: 2, players_sum: 25, peak_players: 31, hours }
  stage.states = () => Response.json([{ ...day, day: siteToday(), up_seconds: 998 }])
  await openServer(PAGE, '/en/server/astra', 'en')
  const part = within(await screen.findByRole('region', { name: 'Uptime over 30 days' }))
  expect(part.getByText('online 99.8% of the time')).toBeTruthy()
  const up = within(part.getByRole('table', { name: 'Uptime day by day' })).getAllByRole('row')
  expect(up).toHaveLength(31)
  expect(up.at(-1)?.textContent).toContain('99.8%')
  expect(
    within(part.getByRole('table', { name: 'Players' }))
      .getAllByRole('row')
      .at(-1)?.textContent,
  ).toMatch(/3112\.5$/)
  await user.click(part.getByRole('radio', { name: 'By hour' }))
  expect(within(part.getByRole('table', { name: 'Players' })).getByRole('row', { name: '20:00 31' })).toBeTruthy()
  expect(part.getByText(/Measured by Minecraft’s server list ping .* as reported by the server/)).toBeTruthy()
})

it('hides uptime for port checks and reports errors', async () => {
  const hours = Array.from({ length: 24 }, () => null)
  const day = { watched_seconds: 10, up_seconds: 10, told: 0, players_sum: 0, peak_players: null, hours }
  const respond = vi.fn(() => Response.json([{ ...day, day: siteToday(), method: 'tcp' }]))
  stage.states = respond
  await openServer(PAGE, '/en/server/astra', 'en')
  await waitFor(() => expect(respond).toHaveBeenCalled())
  expect(await screen.findByText('Très "bien"')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Uptime over 30 days' })).toBeNull()
  cleanup()
  stage.states = () => Response.json({ code: 'XX000' }, { status: 500 })
  await openServer(PAGE, '/en/server/astra', 'en')
  expect(await screen.findByText('Couldn’t load the uptime history.')).toBeTruthy()
})

it('speaks the language of its address', async () => {
  await openServer(PAGE, '/en/server/astra', 'en')
  expect(await screen.findByText('Survival')).toBeTruthy()
  // One beside the figures, one in the bar at the bottom; the style sheet shows one of them.
  expect(screen.getAllByRole('button', { name: 'Vote for Astra & Co' })).toHaveLength(2)
  expect(screen.getByRole('link', { name: 'Back to servers' }).getAttribute('href')).toBe('/en/game/minecraft')
})

it('finds a server by its id', async () => {
  const queries: (string | null)[] = []
  stage.servers = (query) => {
    queries.push(query.get('id'))
    return Response.json([SERVER])
  }
  await openServer(PAGE, `/server/${SERVER_ID}`, 'en')
  expect(await screen.findByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
  expect(queries).toEqual([`eq.${SERVER_ID}`])
})

it('copies the address in one tap', async () => {
  await openServer(PAGE, '/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Adresse de connexion play.astra.fr Copier' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Adresse copiée' }))
  expect(await navigator.clipboard.readText()).toBe('play.astra.fr')
  await waitFor(() => expect(stage.copies).toEqual([{ serverId: SERVER_ID }]))
})

it('omits links with an unsafe scheme', async () => {
  await openServer(PAGE, '/serveur/astra')
  expect((await screen.findByRole('link', { name: /Site web/ })).getAttribute('href')).toBe('https://astra.fr/')
  expect(screen.queryByRole('link', { name: /Discord/ })).toBeNull()
})

it('says that a server does not exist', async () => {
  stage.servers = () => Response.json([])
  await openServer(PAGE, '/es/servidor/nada', 'es')
  expect(await screen.findByRole('heading', { level: 1, name: 'Servidor no encontrado' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Ver la clasificación' }).getAttribute('href')).toBe('/es')
})

it('says that the page failed and tries again', async () => {
  stage.servers = () => Response.json({ code: 'XX000', message: 'boom' }, { status: 500 })
  await openServer(PAGE, '/serveur/astra')
  const retry = await screen.findByRole('button', { name: 'Réessayer' })
  expect(screen.getByRole('heading', { level: 1, name: 'Impossible de charger la page' })).toBeTruthy()
  stage.servers = () => Response.json([SERVER])
  await user.click(retry)
  expect(await screen.findByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
})

it('shows place, next rival and similar servers', async () => {
  await openServer(PAGE, '/serveur/astra')
  expect(await screen.findByText('n° 2 sur Minecraft')).toBeTruthy()
  // The medal shows the same place; the place on the whole site is labeled.
  expect(screen.getByText('Place 2 sur Minecraft')).toBeTruthy()
  expect(screen.getByText('Place sur le site')).toBeTruthy()
  const next = await screen.findByRole('link', { name: 'Borealis' })
  expect(next.parentElement?.textContent).toBe('11 votes derrière Borealis')
  expect(await screen.findByText('octobre 2026')).toBeTruthy()
  const more = within(screen.getByRole('region', { name: 'D’autres serveurs Minecraft' }))
  expect(more.getByRole('link', { name: /Dune/ }).getAttribute('href')).toBe('/serveur/dune')
})

it('shows addresses of any length unless missing', async () => {
  stage.servers = () => Response.json([{ ...SERVER, ip_address: 'logon.a-very-long-name.example:25565' }])
  await openServer(PAGE, '/serveur/astra')
  expect(await screen.findByText('logon.a-very-long-name.example:25565')).toBeTruthy()
  cleanup()
  for (const none of ['', 'N/A', '{ip}']) {
    stage.servers = () => Response.json([{ ...SERVER, ip_address: none }])
    await openServer(PAGE, '/serveur/astra')
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    expect(screen.queryByText('Adresse de connexion')).toBeNull()
    cleanup()
  }
})

it('loads the video only after a click', async () => {
  stage.servers = () => Response.json([{ ...SERVER, video_url: 'https://youtu.be/dQw4w9WgXcQ' }])
  await openServer(PAGE, '/serveur/astra')
  const watch = await screen.findByRole('button', { name: /Regarder la vidéo/ })
  expect(document.querySelector('iframe')).toBeNull()
  await user.click(watch)
  expect(screen.getByTitle('Vidéo de Astra & Co').getAttribute('src')).toMatch(
    /^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ\?/,
  )
})

it('shows vote outcomes with their reasons', async () => {
  openServer(PAGE, '/serveur/astra')
  const part = await screen.findByRole('region', { name: 'Votes comptés, refusés, annulés' })
  expect(await within(part).findByText('Refusés en 30 jours')).toBeTruthy()
  expect(within(part).getByText('1 310')).toBeTruthy()
  expect(within(part).getByText('120 depuis le 23 novembre 2026')).toBeTruthy()
  await user.click(within(part).getByText('Les raisons'))
  const reason = within(part).getByText('Le délai entre deux votes n’était pas écoulé.')
  expect(reason.nextSibling?.textContent).toBe('92 en 30 jours, 120 au total')
  expect(within(part).getByText('Annulés : votes automatiques.')).toBeTruthy()
})
