import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Link } from '@/components/ui/link'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { Picture } from '@/components/ui/picture'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { monthQuery, monthsQuery } from './api/podiums'
import styles from './components/hall.module.css'
import { MonthPager } from './components/month-pager'
import { PodiumCard } from './components/podium-card'
import { grouped, monthOf } from './model/podiums'

/** The first three servers of every game in a past month; the month is part of the address. */
export function HallPage() {
  const { t } = useTranslation('hall-of-fame')
  const monthParameter = monthOf(useSearchParams()[0].get('month'))
  const months = useQuery(monthsQuery())
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} description={t('lead')} />
      <QueryStates query={months} loading={<Loading />} failed={t('failed')} empty={<NothingYet />}>
        {(closedMonths) => (
          <Month
            months={closedMonths}
            month={
              monthParameter !== null && closedMonths.includes(monthParameter)
                ? monthParameter
                : (closedMonths[0] ?? '')
            }
          />
        )}
      </QueryStates>
    </div>
  )
}

function Month({ months, month }: { months: readonly string[]; month: string }) {
  const { t } = useTranslation('hall-of-fame')
  const language = useLanguage()
  const podiums = useQuery(monthQuery(month))
  return (
    <>
      <MonthPager months={months} month={month} to={(other) => ({ search: `?month=${other.slice(0, 7)}` })} />
      <ButtonLink
        icon="trophy"
        className={styles.whole}
        to={paths.monthArchive(language, { month: month.slice(0, 7) })}
      >
        {t('archive.whole')}
      </ButtonLink>
      <QueryStates query={podiums} loading={<Loading />} failed={t('failed')} empty={<NothingYet />}>
        {(won) => (
          <div className={styles.grid}>
            {grouped(won, ({ games }) => games.id).map(([game, places]) => (
              <PodiumCard key={game} title={<GameLink {...places[0]!.games} />} places={places} />
            ))}
          </div>
        )}
      </QueryStates>
    </>
  )
}

function GameLink({ name, slug, logo_url }: { name: string; slug: string; logo_url: string | null }) {
  return (
    <Link to={paths.gameHall(useLanguage(), { game: slug })}>
      <Picture src={logo_url} width={24} height={24} lazy />
      {name}
    </Link>
  )
}

/** Placeholders in the shape of the cards. */
export function Loading() {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.grid} role="status" aria-label={t('loading')}>
      {Array.from({ length: 6 }, (_, card) => (
        <Skeleton key={card} height="13.5rem" radius="var(--radius-lg)" />
      ))}
    </div>
  )
}

/** Says that there is no past month yet, with a link to the current ranking. */
export function NothingYet() {
  const { t } = useTranslation('hall-of-fame')
  return (
    <StateMessage
      drawing="empty"
      heading="h2"
      title={t('empty.title')}
      actions={
        <ButtonLink variant="primary" icon="trophy" to={paths.home(useLanguage())}>
          {t('empty.ranking')}
        </ButtonLink>
      }
    >
      {t('empty.text')}
    </StateMessage>
  )
}
