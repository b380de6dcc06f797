import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Progress } from '@/components/ui/progress'
import { useTranslation } from '@/lib/i18n/i18n'
import { Link } from '@/components/ui/link'
import { QueryStates } from '@/components/query/query-states'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { ServerLogo } from '@/components/ui/server-logo'
import { Skeleton } from '@/components/ui/skeleton'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { useNow } from '@/components/ui/use-now'
import { formatDuration, formatNumber, formatUnit } from '@/lib/i18n/format'
import { showList } from '@/lib/routing/list-anchor'
import { nameIn } from '@/lib/i18n/translated-name'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { competitiveEventQuery, type AnnouncedEvent } from '../api/competitive-event'
import { eventExpected, expectEvent } from '../model/event-hint'
import { phaseOf, votesTogether, type Participant } from '../model/competitive-event'
import styles from './competitive-banner.module.css'

const SHOWN_LEADERS = 6

/**
 * Announces the running or next event; empty if there is none. Its space is reserved while it
 * loads, unless there was no event the last time, so that the list below does not move.
 */
export function CompetitiveBanner({ ready }: { ready: boolean }) {
  const announced = useQuery({ ...competitiveEventQuery(), enabled: ready })
  const known = announced.data === undefined ? null : announced.data !== null
  const [expected] = useState(eventExpected)
  useEffect(() => {
    if (known !== null) expectEvent(known)
  }, [known])
  return (
    <QueryStates
      query={announced}
      loading={expected && <Skeleton height="4rem" radius="var(--radius-lg)" />}
      failed={() => null}
    >
      {(event) => <Banner {...event} />}
    </QueryStates>
  )
}

function Banner({ event, leaders }: AnnouncedEvent) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const now = useNow(10_000)
  const phase = phaseOf(event, now)
  const votes = event.total_votes ?? votesTogether(leaders)
  const reached = event.is_success ?? votes >= event.target_votes
  const status = phase === 'ended' ? (reached ? 'endedSuccess' : 'endedFailed') : phase
  const span = (until: string) => formatDuration((Date.parse(until) - now) / 1000, language)
  return (
    <section className={styles.banner} aria-labelledby="event-title">
      <span className={styles.mark}>
        <Icon name="trophy" size={20} />
      </span>
      <div className={styles.words}>
        <h2 id="event-title" className={styles.title}>
          <VisuallyHidden>{t('event.label')} </VisuallyHidden>
          <Link to={paths.competitiveEvent(language, { eventId: event.id })} className={styles.name}>
            {nameIn(event, language)}
          </Link>
          <Badge tone={phase === 'active' ? 'online' : 'plain'}>{t(`event.${status}`)}</Badge>
        </h2>
        <p className={styles.facts}>
          {phase === 'active' && <span>{t('event.endsIn', { span: span(event.end_date) })}</span>}
          {phase === 'upcoming' && <span>{t('event.startsIn', { span: span(event.start_date) })}</span>}
          <span className={styles.prize}>
            {t('event.prize', {
              count: event.winner_count,
              winners: formatNumber(event.winner_count, language),
              days: formatUnit(event.prestige_days, 'day', language),
            })}
          </span>
        </p>
      </div>
      {phase !== 'upcoming' && <Target votes={votes} target={event.target_votes} />}
      {leaders.length > 0 && phase !== 'upcoming' && (
        <ol className={styles.leaders} aria-label={t('event.ranking')}>
          {leaders.slice(0, SHOWN_LEADERS).map((leader) => (
            <Leader key={leader.server_id} leader={leader} />
          ))}
        </ol>
      )}
      {phase === 'active' && (
        <ButtonLink to="?sort=competitive" onClick={showList} size="small" className={styles.see}>
          <span className={styles.seeText}>{t('event.see')}</span>
          <Icon name="chevron-right" size={18} />
        </ButtonLink>
      )}
    </section>
  )
}

function Target({ votes, target }: { votes: number; target: number }) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const text = t('event.target', { votes: formatNumber(votes, language), target: formatNumber(target, language) })
  return (
    <div className={styles.target}>
      <span aria-hidden="true">{text}</span>
      <Progress label={text} value={votes} max={Math.max(1, target)} />
    </div>
  )
}

function Leader({ leader }: { leader: Participant }) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const name = decodeStored(leader.name ?? '')
  const label = t(leader.prize_days === null ? 'event.leader' : 'event.winner', {
    name,
    count: leader.votes_count,
    votes: formatNumber(leader.votes_count, language),
    days: formatUnit(leader.prize_days ?? 0, 'day', language),
  })
  return (
    <li>
      <Link to={paths.server(language, leader)} className={styles.leader} data-tooltip={label} aria-label={label}>
        <ServerLogo src={leader.logo_image_url} name={name} size={32} />
      </Link>
    </li>
  )
}
