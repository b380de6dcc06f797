/** The finished runs, the newest first. */
import { StatusBadge } from '@/components/ui/badge'
import { Panel, PanelEmpty } from '@/components/ui/panel'
import { formatDate, formatNumber, formatTime } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { formatBytes } from '../model/bytes'
import { savedBy, type Run } from '../model/runs'
import styles from '../admin-images.module.css'

export function History({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('admin-images')
  return (
    <Panel variant="boxed" title={t('history')}>
      {runs.length === 0 ? (
        <PanelEmpty>{t('noHistory')}</PanelEmpty>
      ) : (
        <ul className={styles.runs} aria-label={t('history')}>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function RunRow({ run }: { run: Run }) {
  const { t } = useTranslation('admin-images')
  const language = useLanguage()
  const state = run.is_stopped ? 'stopped' : 'finished'
  return (
    <li className={styles.run}>
      <p className={styles.when}>
        <time dateTime={run.started_at}>
          {formatDate(run.started_at, language)} {formatTime(run.started_at, language)}
        </time>
        <StatusBadge status={run.is_stopped ? 'off' : 'good'}>{t(state)}</StatusBadge>
      </p>
      <p className={styles.note}>
        {t(run.retries_failed ? 'pastAgain' : 'past', {
          total: formatNumber(run.total, language),
          optimized: formatNumber(run.optimized, language),
          skipped: formatNumber(run.skipped, language),
          failed: formatNumber(run.failed, language),
          saved: formatBytes(savedBy([run]).bytes, language),
        })}
      </p>
    </li>
  )
}
