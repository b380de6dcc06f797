import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { QueryStates } from '@/components/query/query-states'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { StatTile, StatTiles } from '@/components/ui/stat-tile'
import { formatDate, formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { voteOutcomesQuery, type VoteOutcome } from '../api/vote-outcomes'
import { reasonsOf, sumsOf } from '../model/outcomes'
import { useNear } from '@/lib/browser/use-near'
import styles from './vote-outcomes.module.css'

/** The outcomes of a server's votes, and why some did not count. Queried near the viewport. */
export function VoteOutcomes({ serverId }: { serverId: string }) {
  const { t } = useTranslation('vote-outcomes')
  const place = useRef<HTMLDivElement>(null)
  const outcomes = useQuery({ ...voteOutcomesQuery(serverId), enabled: useNear(place) })
  return (
    <div ref={place}>
      <Panel variant="above" title={t('title')}>
        <QueryStates query={outcomes} loading={<Skeleton height="6rem" />} failed={t('failed')}>
          {(found) => <Figures outcomes={found} />}
        </QueryStates>
      </Panel>
    </div>
  )
}

function Figures({ outcomes }: { outcomes: readonly VoteOutcome[] }) {
  const { t } = useTranslation('vote-outcomes')
  const language = useLanguage()
  const since = outcomes[0]?.counted_since
  const reasons = reasonsOf(outcomes)
  return (
    <>
      <StatTiles>
        {sumsOf(outcomes).map(({ kind, lastDays, total }) => (
          <StatTile
            key={kind}
            label={t(`kind.${kind}`)}
            value={formatNumber(lastDays, language)}
            note={since && t('total', { formatted: formatNumber(total, language), since: formatDate(since, language) })}
          />
        ))}
      </StatTiles>
      <p className={styles.note}>{t('note')}</p>
      {reasons.length > 0 && (
        <details className={styles.reasons}>
          <summary>{t('why')}</summary>
          <dl>
            {reasons.map(({ words, lastDays, total }) => (
              <div key={words} className={styles.reason}>
                <dt>{t(`reason.${words}`)}</dt>
                <dd>
                  {t('count', { lastDays: formatNumber(lastDays, language), total: formatNumber(total, language) })}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}
