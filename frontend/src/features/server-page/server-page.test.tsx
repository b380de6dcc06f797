import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Route, Routes } from 'react-router'
import { closeAuthDialog, useAuthDialog } from '@/lib/session/auth-dialog'
import { currentToast } from '@/components/ui/toast-store'
import { answers, persona } from '@/testing/answers'
import { siteToday } from '@/lib/time/site-day'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import { ObserverOfAll } from '@/testing/observer-of-all'
import { ServerPage } from './server-page'

const ID = 'a9d2b8de-0000-4000-8000-000000000001'
const SERVER = {
  id: ID,
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
const REVIEW = {
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

const user = userEvent.setup()
let servers: (query: URLSearchParams) => Response
let hidden: () => Response
let own: () => Response
let reviews: (method: string, body: unknown) => Response
let listed: () => object[]
let days: unknown
let states: () => Response
let clicks: unknown[]
let copies: unknown[]
let answered: (method: string, body: unknown) => Response

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  closeAuthDialog()
  clicks = []
  copies = []
  vi.stubGlobal('IntersectionObserver', ObserverOfAll)
  answered = () => new Response(null, { status: 201 })
  servers = () => Response.json([SERVER])
  hidden = () => Response.json([])
  own = () => Response.json([])
  reviews = () => new Response(null, { status: 201 })
  listed = () => [REVIEW]
  days = DAYS
  states = () => Response.json([])
  answers({
    ...persona('player'),
    servers_public: ({ query }) => servers(query),
    servers_managed: () => hidden(),
    reviews_public: () => Response.json(listed(), { headers: { 'content-range': `*/${listed().length}` } }),
    reviews: ({ method, body }) => (method === 'GET' ? own() : reviews(method, body)),
    server_tags: [
      { name: 'Survie', color: '#10B981', name_fr: 'Survie', name_en: 'Survival', name_es: 'Supervivencia' },
    ],
    'rpc/get_server_neighbours': NEIGHBOURS,
    'rpc/get_vote_history': () => Response.json(days),
    'rpc/get_server_stats': STATS,
    server_status_days: () => states(),
    'rpc/get_vote_outcomes': OUTCOMES,
    'rpc/set_server_visibility': () => new Response(null, { status: 204 }),
    review_answers: ({ method, body }) => answered(method, body),
    server_daily_counts: [
      { day: '2026-01-01', votes: 2, clicks: 9, copies: 4 },
      { day: siteToday(), votes: 1, clicks: 3, copies: 1 },
    ],
    server_monthly_votes: [{ month: '2026-10-01', votes: 1204, rank: 4 }],
    'functions/server-copy': ({ body }) => {
      copies.push(body)
      return Response.json({ counted: true })
    },
    'functions/server-click': ({ body }) => {
      clicks.push(body)
      return new Response(null, { status: 204 })
    },
  })
})
afterEach(async () => {
  await signOut()
  // First the page goes, so that nothing is asked of the real network.
  cleanup()
  vi.unstubAllGlobals()
})

function open(path: string, language: 'fr' | 'en' | 'es' = 'fr') {
  const page = (
    <Routes>
      <Route path="*" element={<ServerPage />} />
      {['/serveur/:slug', '/en/server/:slug', '/server/:slug', '/es/servidor/:slug'].map((route) => (
        <Route key={route} path={route} element={<ServerPage />} />
      ))}
    </Routes>
  )
  return renderPage(
    <>
      {page}
      <AskedToSignIn />
    </>,
    { path, language },
  )
}

/** What the sign-in dialog would show. */
function AskedToSignIn() {
  return <p data-auth>{useAuthDialog()}</p>
}

it('shows a server with its figures, reviews and seven days, and counts the visit once', async () => {
  await open('/serveur/astra')
  expect(await screen.findByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
  expect(screen.getByText('calme').tagName).toBe('STRONG')
  expect(screen.getByText('12 / 100 joueurs')).toBeTruthy()
  expect(await screen.findByText('901')).toBeTruthy()
  const history = await screen.findByRole('table', { name: 'Votes des 7 derniers jours' })
  expect(within(history).getAllByRole('row')).toHaveLength(4)
  expect(await screen.findByText('Très "bien"')).toBeTruthy()
  await waitFor(() => expect(clicks).toEqual([{ serverId: ID }]))
  expect(document.title).toContain('Astra & Co')
})

it('keeps standing when a part of it cannot be drawn, and says so in its place', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  days = { none: 'of the rows that were asked for' }
  await open('/serveur/astra')
  expect(await screen.findByText('Impossible d’afficher cette partie.')).toBeTruthy()
  expect(await screen.findByText('Très "bien"')).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Statistiques' })).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
  told.mockRestore()
})

it('tells how long it was up and who played, by the day and by the hour, and how that was measured', async () => {
  const hours = Array.from({ length: 24 }, (_, hour) => (hour === 20 ? 31 : null))
  const day = { method: 'minecraft', watched_seconds: 1000, told: 2, players_sum: 25, peak_players: 31, hours }
  states = () => Response.json([{ ...day, day: siteToday(), up_seconds: 998 }])
  await open('/en/server/astra', 'en')
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

it('says nothing of uptime where only a port answers, and says so when it cannot be read', async () => {
  const hours = Array.from({ length: 24 }, () => null)
  const day = { watched_seconds: 10, up_seconds: 10, told: 0, players_sum: 0, peak_players: null, hours }
  const asked = vi.fn(() => Response.json([{ ...day, day: siteToday(), method: 'tcp' }]))
  states = asked
  await open('/en/server/astra', 'en')
  await waitFor(() => expect(asked).toHaveBeenCalled())
  expect(await screen.findByText('Très "bien"')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Uptime over 30 days' })).toBeNull()
  cleanup()
  states = () => Response.json({ code: 'XX000' }, { status: 500 })
  await open('/en/server/astra', 'en')
  expect(await screen.findByText('Couldn’t load the uptime history.')).toBeTruthy()
})

it('speaks the language of its address', async () => {
  await open('/en/server/astra', 'en')
  expect(await screen.findByText('Survival')).toBeTruthy()
  // One beside the figures, one at the thumb; the style sheet shows either.
  expect(screen.getAllByRole('button', { name: 'Vote for Astra & Co' })).toHaveLength(2)
  expect(screen.getByRole('link', { name: 'Back to servers' }).getAttribute('href')).toBe('/en/game/minecraft')
})

it('finds a server by its id', async () => {
  const asked: (string | null)[] = []
  servers = (query) => {
    asked.push(query.get('id'))
    return Response.json([SERVER])
  }
  await open(`/server/${ID}`, 'en')
  expect(await screen.findByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
  expect(asked).toEqual([`eq.${ID}`])
})

it('copies the address in one tap', async () => {
  await open('/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Adresse de connexion play.astra.fr Copier' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Adresse copiée' }))
  expect(await navigator.clipboard.readText()).toBe('play.astra.fr')
  await waitFor(() => expect(copies).toEqual([{ serverId: ID }]))
})

it('follows no link that is not one of the web', async () => {
  await open('/serveur/astra')
  expect((await screen.findByRole('link', { name: /Site web/ })).getAttribute('href')).toBe('https://astra.fr/')
  expect(screen.queryByRole('link', { name: /Discord/ })).toBeNull()
})

it('says that a server does not exist', async () => {
  servers = () => Response.json([])
  await open('/es/servidor/nada', 'es')
  expect(await screen.findByRole('heading', { level: 1, name: 'Servidor no encontrado' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Ver la clasificación' }).getAttribute('href')).toBe('/es')
})

it('says that the page failed and tries again', async () => {
  servers = () => Response.json({ code: 'XX000', message: 'boom' }, { status: 500 })
  await open('/serveur/astra')
  const retry = await screen.findByRole('button', { name: 'Réessayer' })
  expect(screen.getByRole('heading', { level: 1, name: 'Impossible de charger la page' })).toBeTruthy()
  servers = () => Response.json([SERVER])
  await user.click(retry)
  expect(await screen.findByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
})

it('tells the place in the game, the gap to the next, and others to look at', async () => {
  await open('/serveur/astra')
  expect(await screen.findByText('n° 2 sur Minecraft')).toBeTruthy()
  // The medal tells the same place; that on the whole site says so.
  expect(screen.getByText('Place 2 sur Minecraft')).toBeTruthy()
  expect(screen.getByText('Place sur le site')).toBeTruthy()
  const next = await screen.findByRole('link', { name: 'Borealis' })
  expect(next.parentElement?.textContent).toBe('11 votes derrière Borealis')
  expect(await screen.findByText('octobre 2026')).toBeTruthy()
  const more = within(screen.getByRole('region', { name: 'D’autres serveurs Minecraft' }))
  expect(more.getByRole('link', { name: /Dune/ }).getAttribute('href')).toBe('/serveur/dune')
})

it('always shows the address, however long, unless there is none', async () => {
  servers = () => Response.json([{ ...SERVER, ip_address: 'logon.a-very-long-name.example:25565' }])
  await open('/serveur/astra')
  expect(await screen.findByText('logon.a-very-long-name.example:25565')).toBeTruthy()
  cleanup()
  for (const none of ['', 'N/A', '{ip}']) {
    servers = () => Response.json([{ ...SERVER, ip_address: none }])
    await open('/serveur/astra')
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    expect(screen.queryByText('Adresse de connexion')).toBeNull()
    cleanup()
  }
})

it('asks nothing of another site before somebody wants the video', async () => {
  servers = () => Response.json([{ ...SERVER, video_url: 'https://youtu.be/dQw4w9WgXcQ' }])
  await open('/serveur/astra')
  const watch = await screen.findByRole('button', { name: /Regarder la vidéo/ })
  expect(document.querySelector('iframe')).toBeNull()
  await user.click(watch)
  expect(screen.getByTitle('Vidéo de Astra & Co').getAttribute('src')).toMatch(
    /^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ\?/,
  )
})

it('shows owners what visitors do not see, and brings it back', async () => {
  servers = () => Response.json([])
  hidden = () =>
    Response.json([
      {
        ...SERVER,
        owner_id: ADA.id,
        is_approved: true,
        is_hidden: true,
        hidden_reason: 'owner',
        is_sponsored: false,
        prestige_expires_at: null,
        rating_sum: 4,
      },
    ])
  await signInAsAda()
  await open('/serveur/astra')
  expect(await screen.findByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
  expect(await screen.findByText('Masqué : vous seul voyez cette page.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Voter/ })).toBeNull()
  expect(clicks).toEqual([])
  servers = () => Response.json([{ ...SERVER, owner_id: ADA.id }])
  await user.click(screen.getByRole('button', { name: 'Afficher' }))
  expect(await screen.findByText('Votre serveur')).toBeTruthy()
  expect(screen.queryByText('Masqué : vous seul voyez cette page.')).toBeNull()
})

it('asks guests to sign in before they review', async () => {
  await open('/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Écrire un avis' }))
  expect(document.querySelector('[data-auth]')?.textContent).toBe('signIn')
  expect(screen.queryByRole('form', { name: 'Votre avis' })).toBeNull()
})

it('shows three reviews, then all of them', async () => {
  listed = () => [1, 2, 3, 4, 5].map((n) => ({ ...REVIEW, id: `r${n}`, comment: `Avis ${n}` }))
  servers = () => Response.json([{ ...SERVER, review_count: 5 }])
  await open('/serveur/astra')
  expect(await screen.findByText('Avis 3')).toBeTruthy()
  expect(screen.queryByText('Avis 4')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Voir les 5 avis' }))
  expect(screen.getByText('Avis 5')).toBeTruthy()
})

/** For what is loaded only when it is asked for. */
const LOADING = { timeout: 20_000 }

const MINE = {
  id: 'mine',
  rating: 4,
  comment: 'Bonne &amp; vieille',
  is_anonymous: false,
  is_hidden: false,
  created_at: '2026-01-02T12:00:00Z',
}

it('takes a review of whoever is signed in, and brings it into view', async () => {
  const sent: unknown[] = []
  reviews = (_, body) => {
    sent.push(body)
    own = () => Response.json([{ ...MINE, comment: 'Bonne équipe', is_anonymous: true }])
    return new Response(null, { status: 201 })
  }
  await signInAsAda()
  await open('/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Écrire un avis' }))
  const form = within(await screen.findByRole('form', { name: 'Votre avis' }, LOADING))
  await user.click(form.getByRole('button', { name: 'Publier l’avis' }))
  expect(await form.findByText('Choisissez une note.')).toBeTruthy()
  expect(form.getByText('Saisissez un commentaire.')).toBeTruthy()
  await user.click(form.getByRole('radio', { name: '4 étoiles sur 5' }))
  await user.type(form.getByLabelText('Votre commentaire'), ' Bonne équipe ')
  await user.click(form.getByLabelText('Publier sans mon nom'))
  await user.click(form.getByRole('button', { name: 'Publier l’avis' }))
  const published = await screen.findByText('Bonne équipe', { selector: 'p' })
  expect(published.closest('[tabindex="-1"]')).toBe(document.activeElement)
  expect(sent).toEqual([{ server_id: ID, rating: 4, comment: 'Bonne équipe', is_anonymous: true }])
})

it('keeps what was written when the review is refused', async () => {
  reviews = () => Response.json({ code: '23505', message: 'duplicate key' }, { status: 409 })
  await signInAsAda()
  await open('/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Écrire un avis' }))
  const form = within(await screen.findByRole('form', { name: 'Votre avis' }, LOADING))
  await user.click(form.getByRole('radio', { name: '1 étoile sur 5' }))
  const comment = form.getByLabelText<HTMLTextAreaElement>('Votre commentaire')
  await user.type(comment, 'Encore')
  await user.click(form.getByRole('button', { name: 'Publier l’avis' }))
  expect(await form.findByText('Vous avez déjà donné votre avis sur ce serveur.')).toBeTruthy()
  expect(comment.value).toBe('Encore')
})

it('finds the own review whichever page it stands on, to be changed or taken back', async () => {
  const sent: unknown[] = []
  own = () => Response.json([MINE])
  reviews = (method, body) => {
    sent.push([method, body])
    own = () => Response.json(method === 'DELETE' ? [] : [{ ...MINE, comment: 'Neuve' }])
    return new Response(null, { status: 204 })
  }
  await signInAsAda()
  await open('/serveur/astra')
  expect(await screen.findByText('Bonne & vieille')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Écrire un avis' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Modifier' }))
  const comment = await screen.findByLabelText<HTMLTextAreaElement>('Votre commentaire', {}, LOADING)
  expect(comment.value).toBe('Bonne & vieille')
  await user.clear(comment)
  await user.type(comment, 'Neuve')
  // A change that was begun is there again when one comes back to it.
  await user.click(screen.getByRole('button', { name: 'Annuler' }))
  await user.click(await screen.findByRole('button', { name: 'Modifier' }))
  const again = await screen.findByLabelText<HTMLTextAreaElement>('Votre commentaire')
  await waitFor(() => expect(again.value).toBe('Neuve'))
  await user.click(screen.getByRole('button', { name: 'Enregistrer' }))
  expect(await screen.findByText('Neuve', { selector: 'p' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Supprimer' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Supprimer votre avis\u202f?' }, LOADING))
  await user.click(question.getByRole('button', { name: 'Supprimer' }))
  expect(await screen.findByRole('button', { name: 'Écrire un avis' })).toBeTruthy()
  expect(sent).toEqual([
    ['PATCH', { rating: 4, comment: 'Neuve', is_anonymous: false }],
    ['DELETE', null],
  ])
})

it('shows the owner’s answer to everybody, and that a review was changed', async () => {
  const changed = { ...REVIEW, updated_at: '2026-01-03T12:00:00Z' }
  listed = () => [{ ...changed, answer: 'Merci &amp; à bientôt', answered_at: '2026-01-02T13:00:00Z' }]
  await open('/serveur/astra')
  expect(await screen.findByText('Merci & à bientôt')).toBeTruthy()
  expect(screen.getByText('Réponse du propriétaire')).toBeTruthy()
  expect(screen.getByText(/^modifié/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Répondre/ })).toBeNull()
})

it('lets the owner answer a review once, change the answer and take it back', async () => {
  const sent: unknown[] = []
  servers = () => Response.json([{ ...SERVER, owner_id: ADA.id }])
  answered = (method, body) => {
    sent.push([method, body])
    const answer = method === 'DELETE' ? null : method === 'PATCH' ? 'Encore merci' : 'Merci'
    listed = () => [{ ...REVIEW, answer, answered_at: answer && '2026-01-02T13:00:00Z' }]
    return method === 'PATCH' ? Response.json({ review_id: 'r1' }) : new Response(null, { status: 201 })
  }
  await signInAsAda()
  await open('/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Répondre à l’avis de Camille' }))
  const form = within(await screen.findByRole('form', { name: 'Répondre à l’avis de Camille' }, LOADING))
  await user.click(form.getByRole('button', { name: 'Publier la réponse' }))
  const words = form.getByLabelText<HTMLTextAreaElement>('Votre réponse')
  expect(words.getAttribute('aria-invalid')).toBe('true')
  await user.type(words, ' Merci ')
  await user.click(form.getByRole('button', { name: 'Publier la réponse' }))
  expect(await screen.findByText('Merci', { selector: 'p' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Répondre/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Modifier' }))
  const again = await screen.findByLabelText<HTMLTextAreaElement>('Votre réponse')
  expect(again.value).toBe('Merci')
  await user.clear(again)
  await user.type(again, 'Encore merci')
  await user.click(screen.getByRole('button', { name: 'Enregistrer' }))
  expect(await screen.findByText('Encore merci', { selector: 'p' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Supprimer' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Supprimer votre réponse\u202f?' }, LOADING))
  await user.click(question.getByRole('button', { name: 'Supprimer' }))
  expect(await screen.findByRole('button', { name: 'Répondre à l’avis de Camille' })).toBeTruthy()
  expect(sent).toEqual([
    ['POST', { review_id: 'r1', comment: 'Merci' }],
    ['PATCH', { comment: 'Encore merci' }],
    ['DELETE', null],
  ])
})

it('tells the owner the place, and how many looked, copied the address and voted', async () => {
  servers = () => Response.json([{ ...SERVER, owner_id: ADA.id }])
  await signInAsAda()
  await open('/serveur/astra')
  const bar = await screen.findByRole('region', { name: 'Votre serveur' }, LOADING)
  expect(within(bar).getByText('n° 2 sur Minecraft')).toBeTruthy()
  for (const [step, today, week] of [
    ['Visites', '3', '12 en 7 jours'],
    ['Copies de l’adresse', '1', '5 en 7 jours'],
    ['Votes', '1', '3 en 7 jours'],
  ] as const) {
    const figure = within(bar).getByText(step).parentElement
    await waitFor(() => expect(figure?.textContent).toBe(`${step}${today} aujourd’hui${week}`))
  }
  expect(within(bar).getByRole('link', { name: '1 avis sans réponse' }).getAttribute('href')).toContain('#reviews')
})

it('tells whoever comes near how many votes were counted, refused and withdrawn, and why', async () => {
  open('/serveur/astra')
  const part = await screen.findByRole('region', { name: 'Votes comptés, refusés, annulés' })
  expect(await within(part).findByText('Refusés en 30 jours')).toBeTruthy()
  expect(within(part).getByText('1 310')).toBeTruthy()
  expect(within(part).getByText('120 depuis le 23 novembre 2026')).toBeTruthy()
  await user.click(within(part).getByText('Les raisons'))
  const reason = within(part).getByText('Le délai entre deux votes n’était pas écoulé.')
  expect(reason.nextSibling?.textContent).toBe('92 en 30 jours, 120 au total')
  expect(within(part).getByText('Annulés : votes automatiques.')).toBeTruthy()
})
