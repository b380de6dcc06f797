import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Link } from 'react-router'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { ServerLogo } from '@/components/ui/server-logo'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { useNow } from '@/components/ui/use-now'
import { formatDuration, formatNumber } from '@/lib/format'
import { LANGUAGE_TAGS } from '@/lib/languages'
import { paths } from '@/lib/paths'
import { decodeStored } from '@/lib/stored-text'
import { useLanguage } from '@/lib/use-language'
import { competitiveEventQuery, type AnnouncedEvent } from '../api/competitive-event'
import { phaseOf, votesTogether, type Participant } from '../model/competitive-event'
import styles from './competitive-banner.module.css'

const SHOWN_LEADERS = 6

/** Announces the running or coming event; nothing when there is none. */
export function CompetitiveBanner({ ready }: { ready: boolean }) {
  const announced = useQuery({ ...competitiveEventQuery(), enabled: ready })
  return announced.data ? <Banner {...announced.data} /> : null
}

function Banner({ event, leaders }: AnnouncedEvent) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const now = useNow()
  const phase = phaseOf(event, now)
  const votes = votesTogether(leaders)
  const reached = votes >= event.target_votes
  const status = phase === 'ended' ? (reached ? 'endedSuccess' : 'endedFailed') : phase
  const span = (until: string) => formatDuration((Date.parse(until) - now) / 1000, language)
  const days = new Intl.NumberFormat(LANGUAGE_TAGS[language], { style: 'unit', unit: 'day', unitDisplay: 'long' })
  return (
    <section className={styles.banner} aria-labelledby="event-title">
      <span className={styles.mark}>
        <Icon name="trophy" size={24} />
      </span>
      <div className={styles.words}>
        <h2 id="event-title" className={styles.title}>
          <VisuallyHidden>{t('event.label')} : </VisuallyHidden>
          {event.name}
          <Badge tone={phase === 'active' ? 'online' : 'plain'}>{t(`event.${status}`)}</Badge>
        </h2>
        <p className={styles.facts}>
          {phase === 'active' && <span>{t('event.endsIn', { span: span(event.end_date) })}</span>}
          {phase === 'upcoming' && <span>{t('event.startsIn', { span: span(event.start_date) })}</span>}
          <span>
            {t('event.prize', {
              count: event.winner_count,
              winners: formatNumber(event.winner_count, language),
              days: days.format(event.prestige_days),
            })}
          </span>
        </p>
      </div>
      {phase !== 'upcoming' && (
        <div className={styles.target}>
          <span id="event-target">
            {t('event.target', {
              votes: formatNumber(votes, language),
              target: formatNumber(event.target_votes, language),
            })}
          </span>
          <progress
            max={Math.max(1, event.target_votes)}
            value={Math.min(votes, event.target_votes)}
            aria-labelledby="event-target"
          />
        </div>
      )}
      {phase === 'active' && (
        <ButtonLink to="?sort=competitive#server-list" size="small" className={styles.see}>
          {t('event.see')}
        </ButtonLink>
      )}
      {leaders.length > 0 && phase !== 'upcoming' && (
        <ol className={styles.leaders} aria-label={t('event.ranking')}>
          {leaders.slice(0, SHOWN_LEADERS).map((leader) => (
            <Leader key={leader.server_id} leader={leader} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Leader({ leader }: { leader: Participant }) {
  const language = useLanguage()
  if (leader.servers === null) return null
  const name = decodeStored(leader.servers.name)
  return (
    <li>
      <Link to={paths.server(language, leader.servers)} className={styles.leader}>
        <ServerLogo src={leader.servers.logo_image_url} name={name} size={28} />
        <span className={styles.leaderName}>{name}</span>
        <span className={styles.leaderVotes}>{formatNumber(leader.votes_count, language)}</span>
      </Link>
    </li>
  )
}
