/** Every page of the site under every prefix it may have. Redirects are not here but in `use-address-rules`. */
import { lazy } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import type { Params, RouteObject } from 'react-router'
import { serverQueryAt } from '@/features/server-page/api/server'
import { SHORTCUT_GAMES, SHORTCUT_GAME_SLUGS, type Shortcut } from '@/lib/paths'
import { developmentPages } from './development'
import { GamePage } from './pages/game-page'
import { HOME_TEXTS, HomePage, preloadHome } from './pages/home-page'
import type { ComingScreen } from '@/features/coming-soon/coming-soon-page'

const serverPage = () => import('@/features/server-page/server-page')
const ServerPage = lazy(async () => ({ default: (await serverPage()).ServerPage }))
const ComingSoonPage = lazy(async () => ({ default: (await import('./pages/coming-page')).ComingPage }))
const ProfilePage = lazy(async () => ({ default: (await import('./pages/profile-page')).ProfilePage }))
const ResetPasswordPage = lazy(async () => ({
  default: (await import('./pages/reset-password-page')).ResetPasswordPage,
}))
const NotFoundPage = lazy(async () => ({ default: (await import('./pages/missing-page')).MissingPage }))

/** What a page wants fetched while its code and the rest of the app are still starting. */
export interface PageHandle {
  /** Namespaces of its texts. */
  texts?: readonly string[]
  preload?: (queries: QueryClient, params: Params, query: URLSearchParams) => void
}

const PREFIXES = ['', '/fr', '/en', '/es'] as const
const LIST_WORDS = ['serveurs', 'servers', 'servidores'] as const

const NO_GAMES: readonly string[] = []

const COMING: Readonly<Record<string, ComingScreen>> = {
  'add-server': 'addServer',
  favorites: 'favorites',
  leaderboard: 'leaderboard',
  'my-votes': 'myVotes',
  privacy: 'privacy',
  terms: 'terms',
  'terms-of-sale': 'termsOfSale',
  'api-docs': 'apiDocs',
  'creator-tools': 'creatorTools',
  'guide-votifier': 'votifierGuide',
  'votifier-guide': 'votifierGuide',
  'guia-votifier': 'votifierGuide',
  'arcade-spots/success': 'arcadeSpotsSuccess',
  'prestige/success': 'prestigeSuccess',
  'seo-audit': 'seoAudit',
  'arcade-spots-management': 'arcadeSpotsManagement',
}

const ADMIN_SECTIONS = [
  '',
  '/tag-proposals',
  '/tags',
  '/games',
  '/prestige-pricing',
  '/prestige-payments',
  '/users',
  '/moderation',
  '/stats',
  '/reports',
  '/settings',
  '/security',
  '/arcade-spots',
  '/arcade-spots/pricing',
  '/event-types',
  '/webhooks/:serverId',
  '/servers',
  '/partners-backlinks',
  '/competitive-events',
]

const SERVER_HANDLE: PageHandle = {
  texts: ['server-page', 'errors'],
  preload(queries, { slug = '' }) {
    void queries.prefetchQuery(serverQueryAt(slug))
    void serverPage()
  },
}

export const routes: RouteObject[] = [
  ...PREFIXES.flatMap(pagesUnder),
  ...ADMIN_SECTIONS.map((section) => ({ path: `/admin${section}`, element: <ComingSoonPage screen="admin" /> })),
  ...developmentPages,
  { path: '*', element: <NotFoundPage /> },
]

function pagesUnder(prefix: string): RouteObject[] {
  return [
    { path: prefix || '/', element: <HomePage games={NO_GAMES} />, handle: listOf(() => NO_GAMES) },
    { path: `${prefix}/game/:game`, element: <GamePage />, handle: listOf(({ game }) => (game ? [game] : NO_GAMES)) },
    ...SHORTCUT_GAMES.flatMap((shortcut) => shortcutPages(prefix, shortcut)),
    // An address by id is written with the English word and no prefix; the page tells ids from slugs.
    ...['serveur', 'server', 'servidor'].map((word) => ({
      path: `${prefix}/${word}/:slug`,
      element: <ServerPage />,
      handle: SERVER_HANDLE,
    })),
    { path: `${prefix}/profile`, element: <ProfilePage />, handle: { texts: ['profile', 'account'] } },
    { path: `${prefix}/reset-password`, element: <ResetPasswordPage />, handle: { texts: ['auth'] } },
    ...Object.entries(COMING).map(([path, screen]) => ({
      path: `${prefix}/${path}`,
      element: <ComingSoonPage screen={screen} />,
    })),
  ]
}

function shortcutPages(prefix: string, shortcut: Shortcut): RouteObject[] {
  return LIST_WORDS.map((word) => ({
    path: `${prefix}/${word}-${shortcut}`,
    element: <HomePage games={SHORTCUT_GAME_SLUGS[shortcut]} shortcut={shortcut} />,
    handle: listOf(() => SHORTCUT_GAME_SLUGS[shortcut]),
  }))
}

function listOf(games: (params: Params) => readonly string[]): PageHandle {
  return { texts: HOME_TEXTS, preload: (queries, params, query) => preloadHome(queries, games(params), query) }
}
