import { Icon } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { formatNumber, formatUnit } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Contest, Standing } from '../api/competition'
import type { Outcome } from '../model/result'
import styles from './competition.module.css'

interface ResultProps {
  event: Contest
  standings: readonly Standing[]
  outcome: Outcome
}

/** The result: whether the target was reached, by how much, and the winners with their prizes. */
export function Result({ event, standings, outcome: { votes, reached } }: ResultProps) {
  const { t } = useTranslation('competition')
  const language = useLanguage()
  const winners = standings.filter(({ prize_days }) => prize_days !== null)
  const figures = {
    votes: formatNumber(votes, language),
    target: formatNumber(event.target_votes, language),
  }
  return (
    <Panel variant="boxed" title={t('result.title')}>
      <p className={styles.result} data-reached={reached || undefined}>
        <Icon name="trophy" size={24} />
        <strong>{t(reached ? 'result.reached' : 'result.missed')}</strong>
      </p>
      <p>{t('result.together', figures)}</p>
      {!event.is_finished && <p className={styles.note}>{t('result.pending')}</p>}
      {event.is_finished && !reached && <p>{t('result.noPrize')}</p>}
      {winners.length > 0 && (
        <ul className={styles.winners} aria-label={t('result.winners')}>
          {winners.map((winner) => (
            <li key={winner.server_id}>
              {t('result.winner', {
                place: winner.place ?? 0,
                name: decodeStored(winner.name ?? ''),
                days: formatUnit(winner.prize_days ?? 0, 'day', language),
              })}
            </li>
          ))}
        </ul>
      )}
      {event.finished_by !== null && (
        <p className={styles.note}>{t(event.finished_by === 'job' ? 'result.byJob' : 'result.byAdministrator')}</p>
      )}
    </Panel>
  )
}
