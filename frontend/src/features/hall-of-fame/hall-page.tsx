import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { Picture } from '@/components/ui/picture'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { formatMonth } from '@/lib/format-month'
import { useTranslation } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'
import { monthQuery, monthsQuery } from './api/podiums'
import { PodiumCard } from './components/podium-card'
import { grouped, monthOf } from './model/podiums'
import styles from './components/hall.module.css'

/** The first three of every game in a month that is over; the month stands in the address. */
export function HallPage() {
  const { t } = useTranslation('hall-of-fame')
  const asked = monthOf(useSearchParams()[0].get('month'))
  const months = useQuery(monthsQuery())
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryStates query={months} loading={<Loading />} failed={t('failed')} empty={<NothingYet />}>
        {(kept) => <Month months={kept} month={asked !== null && kept.includes(asked) ? asked : (kept[0] ?? '')} />}
      </QueryStates>
    </div>
  )
}

function Month({ months, month }: { months: readonly string[]; month: string }) {
  const { t } = useTranslation('hall-of-fame')
  const language = useLanguage()
  const podiums = useQuery(monthQuery(month))
  const at = months.indexOf(month)
  const [later, earlier] = [months[at - 1], months[at + 1]]
  return (
    <>
      <nav className={styles.months} aria-label={t('months')}>
        {earlier !== undefined && <Turn month={earlier} icon="chevron-left" className={styles.earlier} />}
        <span className={styles.month} aria-current="page">
          {formatMonth(month, language)}
        </span>
        {later !== undefined && <Turn month={later} icon="chevron-right" className={styles.later} />}
      </nav>
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
      <Picture src={logo_url} width={24} height={24} loading="lazy" />
      {name}
    </Link>
  )
}

interface TurnProps {
  month: string
  icon: 'chevron-left' | 'chevron-right'
  className: string | undefined
}

function Turn({ month, icon, className }: TurnProps) {
  const language = useLanguage()
  const name = formatMonth(month, language)
  return (
    <ButtonLink
      to={{ search: `?month=${month.slice(0, 7)}` }}
      look="quiet"
      size="small"
      icon={icon}
      className={className}
      aria-label={name}
      preventScrollReset
    >
      <span className={styles.monthWord}>{name}</span>
    </ButtonLink>
  )
}

/** Cards on their way, in the shape they will have. */
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

/** Why no month is kept yet, and where the running one stands. */
export function NothingYet() {
  const { t } = useTranslation('hall-of-fame')
  return (
    <StateMessage
      drawing="empty"
      heading="h2"
      title={t('empty.title')}
      actions={
        <ButtonLink look="primary" icon="trophy" to={paths.home(useLanguage())}>
          {t('empty.ranking')}
        </ButtonLink>
      }
    >
      {t('empty.text')}
    </StateMessage>
  )
}
