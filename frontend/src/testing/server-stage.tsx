/** The page of a server for tests of all kinds of readers: responses and sent requests. */
import type { ReactElement } from 'react'
import { cleanup } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { vi } from 'vitest'
import { closeAuthDialog, useAuthDialog } from '@/lib/session/auth-dialog'
import { siteToday } from '@/lib/time/site-day'
import { answers, persona } from './answers'
import { ObserverOfAll } from './intersection-observer'
import { renderPage } from './render-page'
import { signOut } from './sign-in'

export const SERVER_ID = 'a9d2b8de-0000-4000-8000-000000000001'
export const SERVER = {
  id: SERVER_ID,
  slug: 'astra',
  name: 'Astra &amp; Co',
  description: 'Un serveur **calme**.',
  ip_address: 'play.astra.fr',
  version: '1.21',
  tags: ['Survie'],
  logo_image_url: null,
  banner_image_url: null,
  description_image_url: null,
  backdrop_url: null,
  video_url: null,
  discord_url: 'javascript:alert(1)',
  website_url: 'https://astra.fr/',
  language: 'fr',
  owner_id: null,
  custom_color: null,
  is_prestige: false,
  is_online: true,
  online_players: 12,
  max_players: 100,
  status_checked_at: null,
  total_votes: 900,
  monthly_votes: 41,
  daily_votes: 3,
  clicks: 77,
  review_count: 1,
  rating_average: 4,
  rank: 5,
  game_rank: 2,
  created_at: '2026-01-02T12:00:00Z',
  games: {
    id: 'g',
    name: 'Minecraft',
    slug: 'minecraft',
    page_slug: 'minecraft',
    logo_url: null,
    backdrop_url: null,
    is_steam: false,
    nickname_pattern: null,
  },
}
export const REVIEW = {
  id: 'r1',
  rating: 4,
  comment: 'Très &quot;bien&quot;',
  author_name: 'Camille',
  author_role: null,
  is_mine: false,
  created_at: '2026-01-02T12:00:00Z',
  updated_at: '2026-01-02T12:00:00Z',
  answer: null as string | null,
  answered_at: null as string | null,
}
const neighbour = (relation: string, name: string, votes: number) => ({
  relation,
  id: `a9d2b8de-0000-4000-8000-${String(votes).padStart(12, '0')}`,
  slug: name.toLowerCase(),
  name,
  logo_image_url: null,
  ip_address: null,
  is_online: true,
  online_players: 1,
  monthly_votes: votes,
  game_rank: relation === 'self' ? 2 : null,
})
const NEIGHBOURS = [
  neighbour('self', 'Astra', 41),
  neighbour('ahead', 'Borealis', 52),
  neighbour('behind', 'Cen', 40),
  neighbour('similar', 'Dune', 12),
]
const DAYS = [3, 0, 7].map((vote_count, day) => ({ vote_date: `2026-11-1${day}`, vote_count }))
const STATS = {
  total_votes: 901,
  monthly_votes: 42,
  total_clicks: 78,
  votes_today: 4,
  clicks_today: 1,
  votes_last_7_days: 10,
  rank: 5,
  game_rank: 2,
}

const outcome = (kind: string, reason: string, last_days: number, total: number) => ({
  kind,
  reason,
  last_days,
  total,
  counted_since: '2026-11-23',
})
const OUTCOMES = [
  outcome('accepted', 'accepted', 1310, 2400),
  outcome('refused', 'cooldown', 92, 120),
  outcome('voided', 'automated', 7, 7),
]

/** For lazily loaded content. */
export const LOADING = { timeout: 20_000 }

/** The responses, which a test changes before it opens the page, and the sent requests. */
export const stage = firstStage()

function firstStage() {
  return {
    servers: (_query: URLSearchParams): Response => Response.json([SERVER]),
    hidden: (): Response => Response.json([]),
    own: (): Response => Response.json([]),
    reviews: (_method: string, _body: unknown): Response => new Response(null, { status: 201 }),
    listed: (): object[] => [REVIEW],
    days: DAYS as unknown,
    states: (): Response => Response.json([]),
    answered: (_method: string, _body: unknown): Response => new Response(null, { status: 201 }),
    clicks: [] as unknown[],
    copies: [] as unknown[],
  }
}

/** Before each test. */
export function setStage(): void {
  sessionStorage.clear()
  localStorage.clear()
  closeAuthDialog()
  vi.stubGlobal('IntersectionObserver', ObserverOfAll)
  Object.assign(stage, firstStage())
  answers({
    ...persona('player'),
    servers_public: ({ query }) => stage.servers(query),
    servers_managed: () => stage.hidden(),
    reviews_public: () => Response.json(stage.listed(), { headers: { 'content-range': `*/${stage.listed().length}` } }),
    reviews: ({ method, body }) => (method === 'GET' ? stage.own() : stage.reviews(method, body)),
    server_tags: [
      { name: 'Survie', color: '#10B981', name_fr: 'Survie', name_en: 'Survival', name_es: 'Supervivencia' },
    ],
    'rpc/get_server_neighbours': NEIGHBOURS,
    'rpc/get_vote_history': () => Response.json(stage.days),
    'rpc/get_server_stats': STATS,
    server_status_days: () => stage.states(),
    'rpc/get_vote_outcomes': OUTCOMES,
    'rpc/set_server_visibility': () => new Response(null, { status: 204 }),
    review_answers: ({ method, body }) => stage.answered(method, body),
    server_daily_counts: [
      { day: '2026-01-01', votes: 2, clicks: 9, copies: 4 },
      { day: siteToday(), votes: 1, clicks: 3, copies: 1 },
    ],
    server_monthly_votes: [{ month: '2026-10-01', votes: 1204, rank: 4 }],
    'functions/server-copy': ({ body }) => {
      stage.copies.push(body)
      return Response.json({ counted: true })
    },
    'functions/server-click': ({ body }) => {
      stage.clicks.push(body)
      return new Response(null, { status: 204 })
    },
  })
}

/** After each test. */
export async function clearStage(): Promise<void> {
  await signOut()
  // Unmounts first, so that nothing is requested from the real network.
  cleanup()
  vi.unstubAllGlobals()
}

const ROUTES = ['*', '/serveur/:slug', '/en/server/:slug', '/server/:slug', '/es/servidor/:slug']

/** Opens `page`, a server's page, at an address. */
export function openServer(page: ReactElement, path: string, language: 'fr' | 'en' | 'es' = 'fr') {
  return renderPage(
    <>
      <Routes>
        {ROUTES.map((route) => (
          <Route key={route} path={route} element={page} />
        ))}
      </Routes>
      <AskedToSignIn />
    </>,
    { path, language },
  )
}

/** Shows the state of the sign-in dialog. */
function AskedToSignIn() {
  return <p data-auth>{useAuthDialog()}</p>
}
