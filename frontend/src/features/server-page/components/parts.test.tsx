/** Parts of a server's page, each tested alone. */
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { done, refusal, type Answer } from '@/testing/answers'
import { fieldOf, openQuestion, plain, press, user, write } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { ADA } from '@/testing/sign-in'
import { recordClick } from '../api/record-click'
import type { ServerDetail } from '../api/server'
import { Backdrop } from './backdrop'
import { ConnectCard } from './connect-card'
import { Events } from './events'
import { HiddenNotice } from './hidden-notice'
import { Identity } from './identity'
import { Months } from './months'
import { PlainDescription } from './plain-description'
import { Placings } from './placings'
import { Reviews } from './reviews'

const SERVER = {
  id: 's1',
  slug: 'astra',
  name: 'Astra &amp; Co',
  ip_address: 'play.astra.example:25566',
  version: '1.21 &amp; more',
  description_image_url: null,
  logo_image_url: null,
  banner_image_url: '/banner.webp',
  backdrop_url: null,
  video_url: null,
  discord_url: null,
  website_url: 'https://astra.example/',
  owner_id: null,
  is_prestige: false,
  is_online: true,
  online_players: 1234,
  max_players: 2000,
  status_checked_at: '2026-11-26T11:55:00Z',
  review_count: 1,
  rating_average: 4.25,
  game_rank: 2,
  hidden: null,
  games: {
    id: 'g',
    name: 'Rust',
    slug: 'rust',
    page_slug: 'rust',
    logo_url: null,
    backdrop_url: '/rust.webp',
    is_steam: false,
  },
}
const server = (rest: object = {}) => ({ ...SERVER, ...rest }) as unknown as ServerDetail

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-26T12:00:00Z') })
  sessionStorage.clear()
})
afterEach(closePage)

const outward = () =>
  screen
    .queryAllByRole('link')
    .map((link) => [plain(link.textContent), link.getAttribute('href'), link.getAttribute('rel')])

it('links outward with nofollow and ugc', async () => {
  await openPage(<ConnectCard server={server({ discord_url: 'https://discord.gg/astra' })} />, {})
  expect(outward()).toEqual([
    ['Site web (nouvel onglet)', 'https://astra.example/', 'noopener nofollow ugc'],
    ['Discord (nouvel onglet)', 'https://discord.gg/astra', 'noopener nofollow ugc'],
  ])
  expect(screen.getByText((text) => plain(text) === 'Version 1.21 & more')).toBeTruthy()
})

it.each([
  ['javascript:alert(1)', []],
  ['https://youtu.be/dQw4w9WgXcQ', []],
  ['https://vimeo.com/1', ['https://vimeo.com/1']],
])('links %s only when not embeddable', async (video_url, links) => {
  await openPage(<ConnectCard server={server({ website_url: null, video_url })} />, {})
  expect(outward().map(([, href]) => href)).toEqual(links)
})

it.each(['N/A', '', '{ip}'])('shows nothing without connection details (%j)', async (ip_address) => {
  await openPage(<ConnectCard server={server({ ip_address, version: null, website_url: null })} />, {})
  expect(screen.queryByRole('region')).toBeNull()
})

it('counts only successful address copies', async () => {
  const writeText = vi.fn(async () => undefined)
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard)
  const { requests } = await openPage(<ConnectCard server={server()} />, { 'functions/server-copy': done })
  writeText.mockRejectedValueOnce(new Error('no'))
  await user.click(screen.getByRole('button', { name: /play\.astra\.example/ }))
  await toastSays('Impossible de copier', 'danger')
  expect(requests).toEqual([])
  await user.click(screen.getByRole('button', { name: /play\.astra\.example/ }))
  await toastSays('Adresse copiée', 'success', 'Collez-la dans votre jeu pour rejoindre le serveur.')
  expect(writeText).toHaveBeenLastCalledWith('play.astra.example:25566')
  await waitFor(() => expect(requests).toHaveLength(1))
})

it('counts one visit per server', async () => {
  const { requestsOf } = await openPage(null, { 'functions/server-click': done })
  await recordClick('s1')
  await recordClick('s1')
  await recordClick('s2')
  expect(requestsOf('functions/server-click').map(({ body }) => body)).toEqual([{ serverId: 's1' }, { serverId: 's2' }])
})

const event = (id: string, start_date: string, end_date: string, rest: object = {}) => ({
  id,
  title_fr: `Fête ${id}`,
  title_en: null,
  title_es: null,
  description_fr: 'Pour &lt;tous&gt;',
  description_en: null,
  description_es: null,
  start_date,
  end_date,
  event_types: { name_fr: 'Double XP', name_en: 'Double XP', name_es: 'Doble XP', color: '#F59E0B' },
  ...rest,
})

it('shows only live and upcoming events', async () => {
  const { requestsOf } = await openPage(<Events serverId="s1" />, {
    server_events: [
      event('1', '2026-11-25T10:00:00Z', '2026-11-27T10:00:00Z'),
      event('2', '2026-12-01T10:00:00Z', '2026-12-02T10:00:00Z', { event_types: null, description_fr: null }),
      event('3', '2026-11-01T10:00:00Z', '2026-11-02T10:00:00Z'),
    ],
  })
  const articles = (await screen.findAllByRole('article')).map(({ textContent }) => plain(textContent))
  expect(articles).toEqual([
    'Fête 1En directDouble XP · Du 25 nov. au 27 nov.Pour <tous>',
    'Fête 2À venirDu 1er déc. au 2 déc.',
  ])
  expect(requestsOf('server_events')[0]?.query.get('is_active')).toBe('eq.true')
})

it.each([
  ['events', <Events key="e" serverId="s1" />, 'server_events'],
  ['months', <Months key="m" serverId="s1" />, 'server_monthly_votes'],
  ['placings', <Placings key="p" serverId="s1" />, 'won_places'],
])('shows no section for empty or failed %s', async (_, part, name) => {
  for (const answer of [[], refusal('57014', 500)] satisfies Answer[]) {
    const { requestsOf } = await openPage(part, { [name]: answer })
    await waitFor(() => expect(requestsOf(name).length).toBeGreaterThan(0))
    expect(screen.queryByRole('region')).toBeNull()
    await closePage()
  }
})

it('shows previous months with votes and place', async () => {
  await openPage(<Months serverId="s1" />, {
    server_monthly_votes: [
      { month: '2026-11-01', votes: 1, rank: null },
      { month: '2026-10-01', votes: 1234, rank: 1050 },
    ],
  })
  await screen.findByRole('region', { name: 'Mois précédents' })
  const lines = [...document.querySelectorAll('dl > div')].map(({ textContent }) => plain(textContent ?? ''))
  expect(lines[0]).toBe('novembre 20261 vote')
  expect(lines[1]).toMatch(/^octobre 2026.*1 050.*1 234 votes$/)
})

it('links each won place to its month', async () => {
  await openPage(<Placings serverId="s1" />, {
    won_places: [{ month: '2026-10-01', place: 2, games: { slug: 'rust' } }],
  })
  const link = await screen.findByRole('link', { name: /octobre 2026/ })
  expect(link.getAttribute('href')).toMatch(/rust#2026-10$/)
  expect(within(link).getByText('Place 2')).toBeTruthy()
})

const pictures = () => [...document.querySelectorAll('img')].map((picture) => picture.getAttribute('src'))
it.each([
  [{}, ['/rust.webp']],
  [{ is_prestige: true }, ['/rust.webp', '/banner.webp']],
  [{ backdrop_url: '/own.webp' }, ['/own.webp']],
  [{ games: { ...SERVER.games, backdrop_url: null } }, []],
])('stands in front of what %j has', async (rest, articles) => {
  await openPage(<Backdrop server={server(rest)} />, {})
  expect(pictures()).toEqual(articles)
})

const facts = () => plain(document.querySelector('header')?.textContent ?? '')

it.each([
  [{}, 'En ligne1 234 / 2 000 joueurs'],
  [{ is_online: false }, 'Hors ligne'],
  [{ is_online: false, status_checked_at: null }, 'État inconnu'],
  [{ max_players: 0 }, 'En ligne'],
])('says with %j how the server was found', async (rest, words) => {
  await openPage(<Identity server={server(rest)} name="Astra" />, {})
  expect(facts()).toContain(words)
  if (!words.includes('joueurs')) expect(facts()).not.toContain('joueurs')
})

it('hides place and actions of hidden servers', async () => {
  await openPage(<Identity server={server({ hidden: 'owner' })} name="Astra" />, {})
  expect(facts()).not.toContain('Place 2')
  expect(screen.queryByRole('button')).toBeNull()
})

it('offers favorites only to signed-in users', async () => {
  await openPage(<Identity server={server()} name="Astra" />, {})
  expect(screen.getAllByRole('button')).toHaveLength(1)
  await closePage()
  await openPage(<Identity server={server()} name="Astra" />, {}, { as: 'player' })
  await waitFor(() => expect(screen.getAllByRole('button')).toHaveLength(2))
  const heart = screen.getAllByRole('button')[0]!
  expect(heart.getAttribute('aria-pressed')).toBe('false')
  await user.click(heart)
  await waitFor(() => expect(heart.getAttribute('aria-pressed')).toBe('true'))
})

it.each([
  ['owner', 'Vous l’avez retiré du classement.', true],
  ['bonus_expired', 'Son emplacement supplémentaire a pris fin avec Prestige.', true],
  ['waiting', 'Il attend l’approbation de la modération.', false],
  ['moderation', 'La modération l’a retiré du classement.', false],
  ['game_closed', 'Son jeu n’est plus proposé sur le site.', false],
])('explains the hidden state %s to owners', async (hidden, words, mayShow) => {
  await openPage(<HiddenNotice server={server({ hidden })} />, {}, { as: 'owner' })
  expect(plain(screen.getByRole('region', { name: 'Visibilité du serveur' }).textContent)).toContain(words)
  if (mayShow) expect(await screen.findByRole('button', { name: 'Afficher' })).toBeTruthy()
  else expect(screen.queryByRole('button')).toBeNull()
})

it('renders paragraphs and escapes HTML', async () => {
  await openPage(<PlainDescription text={'Un\ndeux\n\n\n**trois** <b>quatre</b>'} />, {})
  const paragraphs = [...document.querySelectorAll('p')]
  expect(paragraphs.map(({ textContent }) => textContent)).toEqual(['Un\ndeux', 'trois <b>quatre</b>'])
  expect(paragraphs[1]?.querySelector('strong')?.textContent).toBe('trois')
  expect(paragraphs[1]?.querySelector('b')).toBeNull()
})

const OWN = {
  id: 'r1',
  rating: 4,
  comment: 'Très &quot;bien&quot;',
  is_anonymous: false,
  is_hidden: false,
  created_at: '2026-11-25T12:00:00Z',
  updated_at: '2026-11-25T12:00:00Z',
  review_answers: null,
}

/** A page with reviews; a review that is sent is returned afterwards. */
async function openReviews(ownReview: object | null = null) {
  let storedReview = ownReview
  return openPage(
    <Reviews server={server()} />,
    {
      reviews_public: [],
      reviews: (requests) => {
        if (requests.method === 'GET') return Response.json(storedReview ? [storedReview] : [])
        storedReview = requests.method === 'DELETE' ? null : { ...OWN, ...(requests.body as object) }
        return requests.method === 'DELETE' ? Response.json(OWN) : done()
      },
    },
    { as: 'player' },
  )
}

async function fillReview() {
  await press('Écrire un avis')
  await screen.findByRole('form', { name: 'Votre avis' })
  await user.click(screen.getByRole('radio', { name: '4 étoiles sur 5' }))
  await write('Votre commentaire', 'Très "bien"')
}

it('offers a new review after deletion', async () => {
  await openReviews()
  await fillReview()
  await press('Publier l’avis')
  await press('Supprimer')
  const { question } = await openQuestion('Supprimer votre avis ?')
  await press('Supprimer', question)
  expect(await screen.findByRole('button', { name: 'Écrire un avis' })).toBeTruthy()
  expect(screen.queryByRole('form')).toBeNull()
})

it('prefills the review form and saves changes', async () => {
  const { sentTo, sentOf } = await openReviews(OWN)
  await press('Modifier')
  await screen.findByRole('form', { name: 'Modifier votre avis' })
  expect(fieldOf('Votre commentaire').value).toBe('Très "bien"')
  await press('Annuler')
  expect(screen.queryByRole('form')).toBeNull()
  await press('Modifier')
  await screen.findByRole('form', { name: 'Modifier votre avis' })
  await user.click(screen.getByRole('radio', { name: '2 étoiles sur 5' }))
  await press('Enregistrer')
  expect(await sentTo('reviews')).toEqual([{ rating: 2, comment: 'Très "bien"', is_anonymous: false }])
  expect(sentOf('reviews')[0]?.query.get('id')).toBe('eq.r1')
  await toastSays('Avis modifié', 'success')
})

it('marks a hidden review for its author', async () => {
  await openReviews({ ...OWN, is_hidden: true })
  expect(await screen.findByText('Masqué par la modération')).toBeTruthy()
})

it('offers owners no review form', async () => {
  await openPage(
    <Reviews server={server({ owner_id: ADA.id })} />,
    { reviews_public: [], reviews: [] },
    { as: 'owner' },
  )
  expect(await screen.findByText('Aucun avis pour le moment')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Écrire un avis' })).toBeNull()
})
