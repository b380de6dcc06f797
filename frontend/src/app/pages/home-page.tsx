import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { Sections } from '@/components/ui/crash-boundary'
import { Near } from '@/components/ui/near'
import { gamesQuery, type Game } from '@/entities/game/queries'
import { GamePicker } from '@/features/games/components/game-picker'
import { figuresOf } from '@/features/games/model/figures'
import { AdminBlock } from '@/features/home/components/admin-block'
import { Backdrop } from '@/features/home/components/backdrop'
import { Hero } from '@/features/home/components/hero'
import { listQuery } from '@/features/ranking-list/api/list'
import { RankingList } from '@/features/ranking-list/components/ranking-list'
import {
  changed,
  plainPage,
  readListState,
  writeListState,
  type ListState,
} from '@/features/ranking-list/model/list-state'
import { writeLastGame } from '@/entities/game/last-game'
import { siteSettingsQuery, type SiteSettings } from '@/entities/setting/queries'
import { PageSearch } from '@/features/search/components/page-search'
import { lazyComponent } from '@/lib/browser/lazy'
import { readStored } from '@/lib/browser/stored'
import type { Language } from '@/lib/i18n/languages'
import { useLanguage } from '@/lib/i18n/use-language'
import { LIST_ID, showList } from '@/lib/routing/list-anchor'
import { isShortcut, shortcutOf, type PageMatch, type Shortcut } from '@/lib/routing/pages'
import { paths } from '@/lib/routing/paths'
import { cardOf } from '@/lib/routing/social-card'
import { useDocumentHead, type PageHead } from '@/lib/routing/use-document-head'
import { listHead, useHeadTexts } from '@/lib/routing/use-head-texts'
import styles from './home-page.module.css'

export { preloadRows } from './list-rows'

const ALL_GAMES: readonly string[] = []
const ALL_GAMES_BACKDROP = '/pictures/backdrop.svg'

const Offers = lazyComponent(async () => (await import('@/features/home/components/offers')).Offers)
const Benefits = lazyComponent(async () => (await import('@/features/home/components/benefits')).Benefits)
const VoteShelf = lazyComponent(async () => (await import('@/features/vote-again/vote-shelf')).VoteShelf)

interface HomePageProps {
  /** Slugs of the games shown; empty for all. */
  games?: readonly string[]
  /** Set on a shortcut page, which may show several games under one name. */
  shortcut?: Shortcut
  /** The canonical address of the page, where several addresses lead to it. */
  canonical?: string | undefined
}

/**
 * The ranking of all games or of some. The list is queried first; everything else waits until it
 * has arrived.
 */
export function HomePage({ games: slugs = ALL_GAMES, shortcut, canonical }: HomePageProps) {
  const known = useQuery(gamesQuery())
  const list = readListState(useSearchParams()[0])
  const ready = useListAnswered(slugs, list)
  const settings = useQuery({ ...siteSettingsQuery(), enabled: ready })
  // A reader who chose a game or searches for a name came for those servers.
  const sought = slugs.length > 0 || list.text !== ''
  const game = chosenGame(known.data, slugs)
  const name = shownName(game, slugs, shortcut)
  useHomeHead(name, { card: cardOfPage(useLanguage(), slugs, shortcut), canonical }, plainPage(list))
  useEffect(() => {
    if (game) writeLastGame(game.slug)
  }, [game])

  const offers = (
    <Near height="8rem">
      <Offers ready={ready} dailyPrice={priceOf(settings.data)} />
    </Near>
  )
  const besides = (
    <Sections>
      {hasKept(slugs) && (
        <Suspense>
          <VoteShelf games={slugs.length > 0 ? NO_GAMES : known.data} />
        </Suspense>
      )}
      {!sought && offers}
    </Sections>
  )

  return (
    <div className={styles.page}>
      <Backdrop src={backdropOf(game, settings.data)} />
      <Hero
        game={
          name === null
            ? null
            : {
                name,
                logo_url: game?.logo_url ?? null,
                figures: known.data ? (figuresOf(known.data, slugs) ?? null) : known.isError ? null : undefined,
              }
        }
        search={<PageSearch />}
        ready={ready}
      />
      <div className={styles.groups}>
        <AdminBlock />
        <div className={styles.columns}>
          <div className={styles.games}>
            <GamePicker
              games={known.isError && !known.data ? null : known.data}
              chosen={slugs}
              onRetry={() => void known.refetch()}
              addressOf={(path) => keptAddress(path, list)}
            />
          </div>
          <RankingList games={slugs} besides={besides} />
        </div>
        {sought && offers}
      </div>
      <Near height="16rem">
        <Benefits />
      </Near>
    </div>
  )
}

/**
 * A shortcut to one game has that game's canonical address; a shortcut to several games has its
 * own.
 */
export function ShortcutPage({ match: { params } }: { match: PageMatch }) {
  const language = useLanguage()
  if (params.shortcut === undefined || !isShortcut(params.shortcut)) return null
  const { games } = shortcutOf(params.shortcut)
  const [only] = games
  const canonical = games.length === 1 && only !== undefined ? paths.game(language, only) : undefined
  return <HomePage games={games} shortcut={params.shortcut} canonical={canonical} />
}

const NO_GAMES: Game[] = []

/** Whether this browser has something to resume with; without it, no code is fetched for it. */
function hasKept(slugs: readonly string[]): boolean {
  return Boolean(readStored('palmares.voted') ?? (slugs.length === 0 && readStored('palmares.game')))
}

/** Whether the first query of the list has settled: less important parts may load now. */
function useListAnswered(games: readonly string[], state: ListState): boolean {
  const answered = !useQuery({ ...listQuery(games, state), notifyOnChangeProps: ['isPending'] }).isPending
  useEffect(() => {
    // A bookmarked address may lead to the list, which was not there when the page was opened.
    if (answered && window.location.hash === `#${LIST_ID}`) showList()
  }, [answered])
  return answered
}

/** The address of another game's list with the same order and filters, on its first page. */
function keptAddress(path: string, list: ListState): string {
  const [pathname = '', query] = path.split('?')
  return pathname + writeListState(changed(list, {}), new URLSearchParams(query))
}

/**
 * Pages after the first have titles and canonical addresses of their own; another order of the list
 * has not.
 */
function useHomeHead(game: string | null, head: Pick<PageHead, 'card' | 'canonical'>, part: number): void {
  const t = useHeadTexts()
  useDocumentHead(t && { ...head, ...listHead(t, game === null ? 'home' : 'game', { game }, part) })
}

function cardOfPage(language: Language, slugs: readonly string[], shortcut?: Shortcut): string | undefined {
  if (shortcut && slugs.length > 1) return cardOf(language, 'shortcut', shortcut)
  return slugs[0] && cardOf(language, 'game', slugs[0])
}

function chosenGame(games: Game[] | undefined, slugs: readonly string[]): Game | undefined {
  return slugs[0] === undefined ? undefined : games?.find((game) => game.slug === slugs[0])
}

/** The name of the game on the page. Until the games are loaded, it is derived from the address. */
function shownName(game: Game | undefined, slugs: readonly string[], shortcut?: Shortcut): string | null {
  const together = shortcut ? shortcutOf(shortcut).name : null
  if (together !== null) return together
  if (game) return game.name
  return slugs[0]?.replaceAll('-', ' ').replace(/(^|\s)\S/g, (character) => character.toUpperCase()) ?? null
}

function backdropOf(game: Game | undefined, settings: SiteSettings | undefined): string {
  const all = settings?.all_games_backdrop_url
  return game?.backdrop_url ?? (typeof all === 'string' && all !== '' ? all : ALL_GAMES_BACKDROP)
}

/** The price of a day of an Arcade spot in cents; null until it is known. */
function priceOf(settings: SiteSettings | undefined): number | null {
  const price = Number(settings?.arcade_spot_daily_price_cents)
  return price > 0 ? price : null
}
