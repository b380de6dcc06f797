/**
 * Background features: cron, queues, the vault, webhooks, and the program's own background work.
 */
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { INTEGRATION_PARTS } from '@/app/navigation'
import { PartTabs } from '@/ui/part-tabs'
import { ScreenFrame } from '@/ui/screen'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { presentQuery, type Present } from './api'
import { Background } from './background'
import { Cron } from './cron'
import { Queues } from './queues'
import { Vault } from './vault'
import { Webhooks } from './webhooks'

export function Screen() {
  const { t } = useTranslation('integrations')
  const { part } = useParams()
  const present = useQuery(presentQuery)
  const currentPart = INTEGRATION_PARTS.find((one) => one === part) ?? 'cron'
  return (
    <ScreenFrame title={t('title')} description={t('description')}>
      <PartTabs
        address="/integrations"
        parts={INTEGRATION_PARTS}
        value={currentPart}
        labelOf={(one) => t(`parts.${one}`)}
      >
        {present.isPending ? (
          <SkeletonRows rows={6} height={48} />
        ) : present.isError ? (
          <ErrorState error={present.error} onRetry={() => void present.refetch()} />
        ) : (
          <Part part={currentPart} present={present.data} />
        )}
      </PartTabs>
    </ScreenFrame>
  )
}

function Part({ part, present }: { part: (typeof INTEGRATION_PARTS)[number]; present: Present }) {
  switch (part) {
    case 'cron':
      return <Cron present={present} />
    case 'queues':
      return <Queues present={present} />
    case 'vault':
      return <Vault present={present} />
    case 'webhooks':
      return <Webhooks present={present} />
    case 'background':
      return <Background />
  }
}
