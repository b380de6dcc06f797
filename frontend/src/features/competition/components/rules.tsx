import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import { config } from '@/lib/config'
import { formatDuration, formatNumber, formatUnit } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Contest } from '../api/competition'
import { BEST } from '../model/result'
import styles from './competition.module.css'

const RULES = ['votes', 'ties', 'target', 'prize', 'hidden', 'fraud', 'free', 'organiser'] as const

/** The rules of every event, with the figures of this one. */
export function Rules({ event }: { event: Contest }) {
  const { t } = useTranslation('competition')
  const language = useLanguage()
  const figures = {
    best: formatNumber(BEST, language),
    target: formatNumber(event.target_votes, language),
    count: event.winner_count,
    winners: formatNumber(event.winner_count, language),
    days: formatUnit(event.prestige_days, 'day', language),
    every: formatDuration(config.voteCooldownSeconds, language),
    site: config.siteName,
  }
  return (
    <Panel variant="boxed" title={t('rules.title')}>
      <ol className={styles.rules}>
        {RULES.map((rule) => (
          <li key={rule}>{t(`rules.${rule}`, figures)}</li>
        ))}
      </ol>
      <Link to={paths.howRanking(language)} className={styles.more}>
        {t('rules.more')}
      </Link>
    </Panel>
  )
}
