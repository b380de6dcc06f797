import type { QueryClient } from '@tanstack/react-query'
import { keeping, lazyOf } from '@/lib/lazy'
import { isShortcut, shortcutOf, type PageMatch, type Shortcut } from '@/lib/pages'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'

/** The module of a page, or of an area. */
export interface PageModule {
  readonly [name: string]: unknown
  /** Asks for what the page shows first; settles when that is there or is not to be had. */
  preloadRows?(queries: QueryClient, match: PageMatch, query: URLSearchParams): Promise<unknown>
}

const home = keeping(() => import('../pages/home-page'))
const game = keeping(() => import('../pages/game-page'))
const server = keeping(() => import('../pages/server-page'))
const hall = keeping(() => import('../pages/hall-page'))
const competition = keeping(() => import('../pages/competition-page'))
const weeklyMail = keeping(() => import('@/features/weekly-mail/weekly-mail-page'))
const notice = keeping(() => import('@/features/notice/notice-page'))
const appeal = keeping(() => import('@/features/appeal/appeal-page'))

const HomePage = lazyOf(home, (module) => module.HomePage)
const GamePage = lazyOf(game, (module) => module.GamePage)
const ServerPage = lazyOf(server, (module) => module.ServerPage)
const HallPage = lazyOf(hall, (module) => module.HallPage)
const GameHallPage = lazyOf(hall, (module) => module.GameHallPage)
const MonthArchivePage = lazyOf(hall, (module) => module.MonthArchivePage)
const CompetitionPage = lazyOf(competition, (module) => module.CompetitionPage)
const WeeklyMailPage = lazyOf(weeklyMail, (module) => module.WeeklyMailPage)
const NoticePage = lazyOf(notice, (module) => module.NoticePage)
const AppealPage = lazyOf(appeal, (module) => module.AppealPage)

const NO_GAMES: readonly string[] = []

/** The pages everybody comes for. Each frames itself and is fetched by itself. */
export function MainArea({ match: { key, params } }: { match: PageMatch }) {
  if (key === 'home') return <HomePage games={NO_GAMES} />
  if (key === 'game') return <GamePage />
  if (key === 'hallOfFame') return <HallPage />
  if (key === 'gameHall') return <GameHallPage />
  if (key === 'monthArchive' || key === 'gameMonthArchive') return <MonthArchivePage />
  if (key === 'competitiveEvent') return <CompetitionPage key={params.eventId} id={params.eventId ?? ''} />
  if (key === 'weeklyMail') return <WeeklyMailPage />
  if (key === 'notice') return <NoticePage />
  if (key === 'appeal') return <AppealPage />
  if (key === 'shortcut' && params.shortcut !== undefined && isShortcut(params.shortcut))
    return <ShortcutPage shortcut={params.shortcut} />
  return <ServerPage />
}

/** Of one game it is another address of that game's page; of several it is theirs. */
function ShortcutPage({ shortcut }: { shortcut: Shortcut }) {
  const language = useLanguage()
  const { games } = shortcutOf(shortcut)
  const [only] = games
  const canonical = games.length === 1 && only !== undefined ? paths.game(language, only) : undefined
  return <HomePage games={games} shortcut={shortcut} canonical={canonical} />
}

/** The code of a page, and what it asks for before it is drawn. */
export function loadMainPage({ key }: PageMatch): Promise<PageModule> {
  if (key === 'home' || key === 'shortcut') return home()
  if (key === 'game') return game()
  if (['hallOfFame', 'gameHall', 'monthArchive', 'gameMonthArchive'].includes(key)) return hall()
  if (key === 'competitiveEvent') return competition()
  if (key === 'weeklyMail') return weeklyMail()
  if (key === 'notice') return notice()
  if (key === 'appeal') return appeal()
  return server()
}
