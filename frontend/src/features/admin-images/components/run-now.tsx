/** The state of the optimizer: idle, or running with its progress. */
import { useMutation } from '@tanstack/react-query'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { Progress } from '@/components/ui/progress'
import { StatTile, StatTiles } from '@/components/ui/stat-tile'
import { formatNumber, formatShare } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { startMutation } from '../api/start'
import { stopMutation } from '../api/stop'
import { doneOf, isRunning, savedBy, type Run } from '../model/runs'
import { formatBytes } from '../model/bytes'
import styles from '../admin-images.module.css'

export function RunNow({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('admin-images')
  const start = useMutation(startMutation())
  const stop = useMutation(stopMutation())
  const latest = runs[0]
  const running = isRunning(latest)
  return (
    <Panel
      variant="boxed"
      title={t('state')}
      aside={<StatusBadge status={running ? 'waiting' : 'off'}>{t(running ? 'running' : 'idle')}</StatusBadge>}
      actions={
        running ? (
          <ConfirmButton
            title={t('stopTitle')}
            text={t('stopText')}
            confirm={t('stop')}
            onConfirm={() => stop.mutateAsync()}
          >
            {t('stop')}
          </ConfirmButton>
        ) : (
          <Button
            variant="primary"
            icon="play"
            busy={start.isPending}
            onClick={() => start.mutate({ failedOnly: false })}
          >
            {t('start')}
          </Button>
        )
      }
    >
      <div className={styles.now}>
        <p className={styles.note}>{t('intro')}</p>
        {running && <RunProgress run={latest} />}
        {latest && <Figures run={latest} />}
        {!latest && <p>{t('never')}</p>}
      </div>
    </Panel>
  )
}

function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation('admin-images')
  const language = useLanguage()
  const text = t('progress', {
    done: formatNumber(doneOf(run), language),
    total: formatNumber(run.total, language),
  })
  return (
    <div className={styles.far}>
      <Progress label={t('running')} value={doneOf(run)} max={run.total} text={text} />
      <p className={styles.note}>{text}</p>
    </div>
  )
}

function Figures({ run }: { run: Run }) {
  const { t } = useTranslation('admin-images')
  const language = useLanguage()
  const number = (value: number): string => formatNumber(value, language)
  const saved = savedBy([run])
  return (
    <div className={styles.figures}>
      <StatTiles>
        <StatTile label={t('total')} value={number(run.total)} />
        <StatTile label={t('optimized')} value={number(run.optimized)} />
        <StatTile label={t('skipped')} value={number(run.skipped)} />
        <StatTile label={t('failed')} value={number(run.failed)} />
        <StatTile
          label={t('saved')}
          value={formatBytes(saved.bytes, language)}
          note={run.bytes_before > 0 && t('ofBefore', { share: formatShare(saved.share, language) })}
        />
      </StatTiles>
    </div>
  )
}
