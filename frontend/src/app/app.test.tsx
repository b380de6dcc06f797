import { QueryClient } from '@tanstack/react-query'
import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LANGUAGE_STORAGE_KEY, type Language } from '@/lib/i18n/languages'
import { arrivalAt } from '@/lib/session/session-store'
import { answers, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ObserverOfAll } from '@/testing/intersection-observer'
import { App } from './app'

const user = userEvent.setup()
// The code of a page or an area is fetched when it is first shown.
configure({ asyncUtilTimeout: 20_000 })
const ask = vi.fn<(request: ApiRequest) => Response | Promise<Response>>()
const GAME = { id: 'g', name: 'Rust', slug: 'rust', page_slug: 'rust', logo_url: null, backdrop_url: null }
const HOST = { ...GAME, id: 'h', name: 'Minecraft', slug: 'minecraft', page_slug: 'minecraft' }
const GUEST = { ...GAME, id: 'i', name: 'Flyff', slug: 'flyff', page_slug: 'minecraft' }

function Address() {
  return <output aria-label="address">{useLocation().pathname}</output>
}

async function visit(path: string, language: Language = 'fr') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await renderPage(
    <>
      <App queries={queries} arrival={arrivalAt(window.location)} />
      <Address />
    </>,
    { path, language },
  )
}

function tables(): string[] {
  return ask.mock.calls.map(([request]) => request.name.replace('rpc/', ''))
}

beforeEach(() => {
  localStorage.clear()
  delete document.documentElement.dataset.theme
  ask.mockReset()
  ask.mockImplementation((request) => {
    if (request.name === 'games') return Response.json([GAME])
    if (request.name === 'rpc/get_site_stats') return Response.json({})
    return Response.json([], { headers: { 'content-range': '*/0' } })
  })
  answers(ask)
})
afterEach(() => vi.unstubAllGlobals())

it('home page has its title and skip link', async () => {
  await visit('/')
  expect(await screen.findByRole('heading', { level: 1 })).toHaveProperty(
    'textContent',
    'Les meilleurs serveurs privés, classés par leurs joueurs',
  )
  await waitFor(() => expect(document.title).toBe('Palmarès\u00a0: classement des meilleurs serveurs privés'))
  expect(screen.getByRole('link', { name: 'Aller au contenu' }).getAttribute('href')).toBe('#content')
  expect(screen.getByRole('main').id).toBe('content')
})

it('home page loads games and servers before statistics', async () => {
  let answer = (_: Response): void => {}
  ask.mockImplementation((request) =>
    request.name === 'servers_public'
      ? new Promise<Response>((resolve) => {
          answer = resolve
        })
      : Response.json(request.name === 'games' ? [GAME] : []),
  )
  await visit('/')
  expect(await screen.findByRole('link', { name: 'Rust' })).toBeTruthy()
  await waitFor(() => expect(tables().toSorted()).toEqual(['game_figures', 'games', 'servers_public']))
  answer(Response.json([], { headers: { 'content-range': '*/0' } }))
  await waitFor(() => expect(tables()).toContain('get_site_stats'))
})

it('home page survives a crash in one section', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('IntersectionObserver', ObserverOfAll)
  ask.mockImplementation(({ name }) =>
    Response.json(name === 'arcade_spots' ? { no: 'rows' } : [], { headers: { 'content-range': '*/0' } }),
  )
  await visit('/')
  expect(await screen.findByText('Impossible d’afficher cette partie.')).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1, name: /Les meilleurs serveurs/ })).toBeTruthy()
  expect(screen.getByRole('heading', { level: 2, name: 'Le classement' })).toBeTruthy()
  consoleError.mockRestore()
})

it('moves old and doubled addresses to their place', async () => {
  await visit('/en/en/games/rust/', 'en')
  expect(await screen.findByRole('heading', { level: 1, name: 'Rust servers' })).toBeTruthy()
  expect(screen.getByLabelText('address').textContent).toBe('/en/game/rust')
  await waitFor(() => expect(document.title).toBe('Rust servers: ranking and votes | Palmarès'))
  expect(document.documentElement.lang).toBe('en')
  const list = ask.mock.calls.map(([request]) => request).find((request) => request.name === 'servers_public')
  expect(list?.query.get('game_slug')).toBe('eq.rust')
})

it.each([
  ['/game/flyff', '/game/minecraft?game=flyff', 'Serveurs Flyff', 'eq.flyff'],
  ['/game/minecraft?game=flyff', '/game/minecraft?game=flyff', 'Serveurs Flyff', 'eq.flyff'],
  ['/game/minecraft', '/game/minecraft', 'Serveurs Minecraft', 'eq.minecraft'],
  ['/game/minecraft?game=rust', '/game/minecraft', 'Serveurs Minecraft', 'eq.minecraft'],
  ['/game/rust?game=flyff', '/game/rust', 'Serveurs Rust', 'eq.rust'],
  ['/serveurs-rust', '/game/rust', 'Serveurs Rust', 'eq.rust'],
])('lists servers at %s under canonical address %s', async (path, address, title, listed) => {
  ask.mockImplementation((url) =>
    Response.json(url.name === 'games' ? [GAME, HOST, GUEST] : [], { headers: { 'content-range': '*/0' } }),
  )
  await visit(path)
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
  await waitFor(() => {
    const canonical = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href
    expect(canonical?.replace(window.location.origin, '')).toBe(address)
  })
  const lists = ask.mock.calls.map(([url]) => url).filter((url) => url.name === 'servers_public')
  expect(lists.at(-1)?.query.get('game_slug')).toBe(listed)
})

it('lists both games of a two-game shortcut', async () => {
  await visit('/serveurs-dofus')
  expect(await screen.findByRole('heading', { level: 1, name: 'Serveurs Dofus' })).toBeTruthy()
  const list = ask.mock.calls.map(([request]) => request).find((request) => request.name === 'servers_public')
  expect(list?.query.get('game_slug')).toBe('in.(dofus-2x,dofus-retro)')
})

it.each(['/nulle/part', '/game/nul', '/serveur/%0aa'])('shows the not-found page at %s', async (path) => {
  await visit(path)
  expect(await screen.findByRole('heading', { level: 1, name: 'Ce niveau n’existe pas' })).toBeTruthy()
  await waitFor(() => expect(document.title).toBe('Page introuvable | Palmarès'))
})

it.each([
  ['/es/privacy', 'es', 'Política de privacidad', 'Última actualización: 24 de noviembre de 2026'],
  ['/terms', 'fr', 'Conditions d’utilisation', 'Dernière mise à jour\u00a0: 24 novembre 2026'],
  ['/en/terms-of-sale', 'en', 'Terms of sale', 'Last updated: November 23, 2026'],
] as const)('says at %s when it last changed', async (path, language, name, updated) => {
  await visit(path, language)
  expect(await screen.findByRole('heading', { level: 1, name })).toBeTruthy()
  expect(screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === updated)).toBeTruthy()
})

it('legal page warns of missing operator details only', async () => {
  ask.mockImplementation((request) =>
    Response.json(
      request.name === 'site_settings'
        ? [
            { setting_key: 'seller_name', setting_value: '"Dupont & Fils"' },
            { setting_key: 'contact_email', setting_value: '"a@dupont.example"' },
            { setting_key: 'withdrawal_days', setting_value: '30' },
          ]
        : [],
      { headers: { 'content-range': '*/0' } },
    ),
  )
  await visit('/en/terms-of-sale', 'en')
  const warning = await screen.findByRole('note', { name: 'Warning' })
  expect(
    within(warning)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['their address', 'their company or VAT number', 'the consumer mediator'])
  const text = screen.getByRole('article').textContent
  expect(text).toContain('Name: Dupont & Fils')
  expect(text).toContain('Consumer mediator: not stated')
  expect(text).toContain('you have 30 days from the payment')
})

it.each(['/favorites', '/en/admin/tags', '/creator-tools'])('asks a guest to sign in at %s', async (path) => {
  await visit(path, path.startsWith('/en') ? 'en' : 'fr')
  const title = path.startsWith('/en') ? 'Sign in to continue' : 'Connectez-vous pour continuer'
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
  expect(document.head.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex')
})

it('keeps the language when its prefix is dropped', async () => {
  localStorage.setItem(LANGUAGE_STORAGE_KEY, 'es')
  await visit('/en/admin', 'en')
  await waitFor(() => expect(screen.getByLabelText('address').textContent).toBe('/admin'))
  expect(document.documentElement.lang).toBe('en')
  expect(localStorage.getItem(LANGUAGE_STORAGE_KEY)).toBe('en')
})

it('updates metadata and moves focus after navigation', async () => {
  await visit('/')
  await screen.findByRole('heading', { level: 1 })
  const structured = document.createElement('script')
  structured.type = 'application/ld+json'
  document.head.append(structured)
  await user.click(
    within(await screen.findByRole('contentinfo')).getByRole('link', { name: 'Conditions d’utilisation' }),
  )
  const heading = await screen.findByRole('heading', { level: 1, name: 'Conditions d’utilisation' })
  const content = (selector: string) => {
    const element = document.head.querySelector(selector)
    return element?.getAttribute('content') ?? element?.getAttribute('href')
  }
  expect(content('link[rel="canonical"]')).toMatch(/\/terms$/)
  expect(content('meta[property="og:url"]')).toMatch(/\/terms$/)
  expect(content('meta[property="og:title"]')).toBe('Conditions d’utilisation | Palmarès')
  expect(content('meta[name="robots"]')).toBeUndefined()
  expect(document.head.contains(structured)).toBe(false)
  await waitFor(() => expect(document.activeElement).toBe(heading))
  expect(screen.getAllByRole('status').some((status) => status.textContent === document.title)).toBe(true)
  await user.click(within(await screen.findByRole('contentinfo')).getByRole('link', { name: 'Accueil' }))
  await screen.findByRole('heading', { level: 1, name: /Les meilleurs serveurs/ })
  expect(content('meta[name="robots"]')).toBeUndefined()
  expect(content('link[rel="alternate"][hreflang="es-ES"]')).toMatch(/\/es$/)
})

it('switches the language and keeps the choice', async () => {
  await visit('/game/rust')
  const footer = within(await screen.findByRole('contentinfo'))
  await user.click(footer.getByRole('link', { name: 'Español' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Servidores de Rust' })).toBeTruthy()
  expect(screen.getByLabelText('address').textContent).toBe('/es/game/rust')
  expect(document.documentElement.lang).toBe('es')
  expect(localStorage.getItem(LANGUAGE_STORAGE_KEY)).toBe('es')
})

it('switches the theme and keeps the choice', async () => {
  document.documentElement.dataset.theme = 'dark'
  await visit('/')
  await user.click(screen.getByRole('button', { name: 'Passer au thème clair' }))
  expect(document.documentElement.dataset.theme).toBe('light')
  expect(localStorage.getItem('palmares-theme')).toBe('light')
  expect(screen.getByRole('button', { name: 'Passer au thème sombre' })).toBeTruthy()
})
