import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { Link } from '@/components/ui/link'
import { NotFoundState } from '@/components/layout/not-found-state'
import { QueryStates } from '@/components/query/query-states'
import { Icon } from '@/components/ui/icon'
import { PageHeader } from '@/components/ui/page-header'
import { Pagination } from '@/components/ui/pagination'
import { Picture } from '@/components/ui/picture'
import { StateMessage } from '@/components/ui/state-message'
import { formatMonth } from '@/lib/i18n/format-month'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { listHead, useHeadTexts } from '@/lib/routing/use-head-texts'
import { monthPlacesQuery } from './api/month-places'
import { monthQuery, monthsQuery } from './api/podiums'
import { ArchiveList } from './components/archive-list'
import styles from './components/hall.module.css'
import { MonthPager } from './components/month-pager'
import { Loading, NothingYet } from './hall-page'
import { LAST_PAGE, PAGE_SIZE, grouped, pageOfArchive } from './model/podiums'

/** The final ranking of a past month, of one game or of all, in pages. */
export function MonthArchivePage() {
  const { t } = useTranslation('hall-of-fame')
  const { month = '', game } = useParams()
  const months = useQuery(monthsQuery())
  const day = `${month}-01`
  return (
    <div className={styles.page}>
      <QueryStates query={months} loading={<Loading />} failed={t('failed')} empty={<NothingYet />}>
        {(closedMonths) =>
          closedMonths.includes(day) ? (
            <Archive key={day} months={closedMonths} month={day} game={game ?? null} />
          ) : (
            <NoSuchMonth />
          )
        }
      </QueryStates>
    </div>
  )
}

interface ArchiveProps {
  months: readonly string[]
  month: string
  game: string | null
}

function Archive({ months, month, game }: ArchiveProps) {
  const { t } = useTranslation('hall-of-fame')
  const language = useLanguage()
  const page = pageOfArchive(useSearchParams()[0].get('page'))
  const places = useQuery(monthPlacesQuery(month, game, page))
  const games = useGames(month)
  const name = games.find(({ slug }) => slug === game)?.name ?? places.data?.[0]?.game_name ?? game
  const words = formatMonth(month, language)
  const addressOf = (other: string) =>
    game === null
      ? paths.monthArchive(language, { month: other.slice(0, 7) })
      : paths.gameMonthArchive(language, { month: other.slice(0, 7), game })
  return (
    <>
      <Head month={words} game={game === null ? null : name} part={page} />
      <PageHeader
        title={
          game === null ? t('archive.title', { month: words }) : t('archive.gameTitle', { month: words, game: name })
        }
        description={t('archive.lead')}
        above={
          <Link
            to={game === null ? paths.hallOfFame(language) : paths.gameHall(language, { game })}
            className={styles.above}
          >
            <Icon name="arrow-left" size={16} />
            {t('archive.hall')}
          </Link>
        }
      />
      <MonthPager months={months} month={month} to={addressOf} />
      <nav className={styles.games} aria-label={t('archive.games')}>
        <Link to={paths.monthArchive(language, { month: month.slice(0, 7) })} aria-current={game === null || undefined}>
          {t('archive.all')}
        </Link>
        {games.map(({ slug, name: called, logo_url }) => (
          <Link
            key={slug}
            to={paths.gameMonthArchive(language, { month: month.slice(0, 7), game: slug })}
            aria-current={slug === game || undefined}
          >
            <Picture src={logo_url} width={20} height={20} lazy />
            {called}
          </Link>
        ))}
      </nav>
      <QueryStates query={places} loading={<Loading />} failed={t('failed')} empty={<EmptyArchive />}>
        {(rows) => (
          <>
            <ArchiveList places={rows} first={game === null ? null : (page - 1) * PAGE_SIZE + 1} />
            <Pagination
              label={t('archive.pages')}
              page={page}
              last={rows.length === PAGE_SIZE ? Math.min(page + 1, LAST_PAGE) : page}
              to={(other) => ({ search: other === 1 ? '' : `?page=${other}` })}
            />
          </>
        )}
      </QueryStates>
    </>
  )
}

/** The games that have a podium in the month. */
function useGames(month: string) {
  const { data = [] } = useQuery(monthQuery(month))
  return grouped(data, ({ games }) => games.slug).map(([, [first]]) => first!.games)
}

function Head({ month, game, part }: { month: string; game: string | null; part: number }) {
  const t = useHeadTexts()
  useDocumentHead(t && listHead(t, game === null ? 'monthArchive' : 'gameMonthArchive', { month, game }, part))
  return null
}

function EmptyArchive() {
  const { t } = useTranslation('hall-of-fame')
  return <StateMessage drawing="empty" heading="h2" title={t('archive.none')} />
}

function NoSuchMonth() {
  const { t } = useTranslation('hall-of-fame')
  const to = paths.hallOfFame(useLanguage())
  return <NotFoundState title={t('archive.missing')} link={{ to, icon: 'trophy', label: t('archive.hall') }} />
}
