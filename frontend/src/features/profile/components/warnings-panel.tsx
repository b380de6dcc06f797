import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryStates } from '@/components/query/query-states'
import { useTranslation } from '@/lib/i18n/i18n'
import { Badge } from '@/components/ui/badge'
import { Facts, Panel, PanelList, PanelRow } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { Icon } from '@/components/ui/icon'
import { useNow } from '@/components/ui/use-now'
import { formatDate } from '@/lib/i18n/format'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { warningsQuery } from '../api/warnings'

/** Warnings that were not withdrawn. Not shown if there are none. */
export function WarningsPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const warnings = useQuery(warningsQuery(userId))
  const now = useNow(60_000)
  const inPanel = (content: ReactNode): ReactNode => (
    <Panel tone="danger" title={t('warnings.title')} intro={t('warnings.intro')}>
      {content}
    </Panel>
  )
  return (
    <QueryStates
      query={warnings}
      loading={null}
      failed={(retry) => inPanel(<PanelFailure text={t('warnings.unreadable')} onRetry={retry} />)}
    >
      {(known) =>
        inPanel(
          <PanelList label={t('warnings.title')}>
            {known.map((warning) => (
              <PanelRow
                key={warning.id}
                icon={<Icon name="warning" />}
                title={warning.reason}
                badge={isOver(warning.expires_at, now) && <Badge>{t('warnings.over')}</Badge>}
                details={
                  <Facts
                    facts={[
                      warning.servers && t('warnings.about', { server: decodeStored(warning.servers.name) }),
                      formatDate(warning.created_at, language),
                      warning.expires_at && t('warnings.until', { date: formatDate(warning.expires_at, language) }),
                    ]}
                  />
                }
              />
            ))}
          </PanelList>,
        )
      }
    </QueryStates>
  )
}

function isOver(end: string | null, now: number): boolean {
  return end !== null && Date.parse(end) <= now
}
