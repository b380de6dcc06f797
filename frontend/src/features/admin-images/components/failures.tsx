/** The images that could not be made smaller, with the reasons and a retry button. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Panel, PanelEmpty, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { failuresQuery } from '../api/failures'
import { startMutation } from '../api/start'
import { addressOf, isRunning, reasonOf, type Run } from '../model/runs'
import styles from '../admin-images.module.css'

export function Failures({ latest }: { latest: Run | undefined }) {
  const { t } = useTranslation('admin-images')
  const language = useLanguage()
  const failures = useQuery(failuresQuery(`${latest?.id} ${latest?.failed} ${latest?.finished_at}`))
  const again = useMutation(startMutation())
  const count = failures.data?.count ?? 0
  return (
    <Panel
      variant="boxed"
      title={t('failures')}
      intro={count > 0 && t('failuresIntro', { count, formatted: formatNumber(count, language) })}
      actions={
        count > 0 &&
        !isRunning(latest) && (
          <Button icon="refresh" busy={again.isPending} onClick={() => again.mutate({ failedOnly: true })}>
            {t('again')}
          </Button>
        )
      }
    >
      <QueryStates query={failures} loading={<PanelLoading />} failed={t('failuresUnread')}>
        {({ rows }) =>
          rows.length === 0 ? (
            <PanelEmpty>{t('noFailures')}</PanelEmpty>
          ) : (
            <PanelList label={t('failures')}>
              {rows.map((row) => (
                <PanelRow
                  key={row.name}
                  icon={<Icon name="warning" size={20} />}
                  title={
                    <a href={addressOf(row.name)} target="_blank" rel="noopener noreferrer" className={styles.name}>
                      {row.name}
                    </a>
                  }
                  details={t(`reasons.${reasonOf(row.reason)}`)}
                />
              ))}
            </PanelList>
          )
        }
      </QueryStates>
    </Panel>
  )
}
