import { KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Progress } from '@/components/ui/progress'
import { config } from '@/lib/config'
import { formatDate, formatDuration, formatNumber, formatUnit } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import type { Language } from '@/lib/i18n/languages'
import { siteClock } from '@/lib/time/site-moment'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Contest } from '../api/competition'
import type { Outcome } from '../model/result'
import styles from './competition.module.css'

interface ContestFactsProps {
  event: Contest
  /** The games' names; empty for all. */
  games: readonly string[]
  outcome: Outcome
  now: number
}

/** The dates, games, prizes and progress of an event. */
export function ContestFacts({ event, games, outcome: { state, votes }, now }: ContestFactsProps) {
  const { t } = useTranslation('competition')
  const language = useLanguage()
  const target = t('target.text', {
    votes: formatNumber(votes, language),
    target: formatNumber(event.target_votes, language),
  })
  const until = (moment: string) => formatDuration((Date.parse(moment) - now) / 1000, language)
  const facts = [
    { name: t('facts.start'), value: <Clock moment={event.start_date} /> },
    { name: t('facts.end'), value: <Clock moment={event.end_date} /> },
    ...(state === 'live' ? [{ name: t('facts.left'), value: until(event.end_date) }] : []),
    ...(state === 'upcoming' ? [{ name: t('facts.until'), value: until(event.start_date) }] : []),
    { name: t('facts.games'), value: games.length === 0 ? t('facts.allGames') : games.join(', ') },
    {
      name: t('facts.prize'),
      value: t('facts.prizeOf', {
        count: event.winner_count,
        winners: formatNumber(event.winner_count, language),
        days: formatUnit(event.prestige_days, 'day', language),
      }),
    },
    { name: t('facts.organiser'), value: config.siteName },
  ]
  return (
    <Panel variant="boxed" title={t('facts.title')}>
      <div className={styles.target}>
        <p aria-hidden="true">{target}</p>
        <Progress label={target} value={votes} max={Math.max(1, event.target_votes)} tone="gold" />
      </div>
      <KeyValues facts={facts} />
      <p className={styles.note}>{t('facts.clock', { zone: config.timezone })}</p>
    </Panel>
  )
}

/** A moment in the site's time zone, whatever the reader's. */
function Clock({ moment }: { moment: string }) {
  const { t } = useTranslation('competition')
  const language = useLanguage()
  return <time dateTime={moment}>{t('facts.moment', partsOf(moment, language))}</time>
}

function partsOf(moment: string, language: Language): { date: string; time: string } {
  const [day = '', time = ''] = siteClock(moment).split('T')
  return { date: formatDate(day, language), time }
}
