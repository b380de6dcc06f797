/** The image optimizer: its state, its failures and its past runs. */
import { useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { PageHeader } from '@/components/ui/page-header'
import { PanelLoading } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'
import { runsQuery } from './api/runs'
import { Failures } from './components/failures'
import { History } from './components/history'
import { RunNow } from './components/run-now'
import styles from './admin-images.module.css'

export function ImagesPage() {
  const { t } = useTranslation(['admin-images', 'leads', 'pages'])
  const runs = useQuery(runsQuery())
  return (
    <div className={styles.page}>
      <PageHeader title={t('pages:adminImages')} description={t('leads:adminImages')} />
      <QueryStates
        query={runs}
        loading={<PanelLoading rows={3} />}
        failed={t('admin-images:unread')}
        empty={<RunNow runs={[]} />}
      >
        {(known) => (
          <>
            <RunNow runs={known} />
            <Failures latest={known[0]} />
            <History runs={known.filter((run) => run.finished_at !== null)} />
          </>
        )}
      </QueryStates>
    </div>
  )
}
