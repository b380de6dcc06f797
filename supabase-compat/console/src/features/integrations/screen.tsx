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
import { availableQuery, type AvailableFeatures } from './api'
import { Background } from './background'
import { Cron } from './cron'
import { Queues } from './queues'
import { Vault } from './vault'
import { Webhooks } from './webhooks'

export function Screen() {
  const { t } = useTranslation('integrations')
  const { part } = useParams()
  const available = useQuery(availableQuery)
  const selected = INTEGRATION_PARTS.find((one) => one === part) ?? 'cron'
  return (
    <ScreenFrame title={t('title')} description={t('description')}>
      <PartTabs address="/integrations" parts={INTEGRATION_PARTS} value={selected} labelOf={(one) => t(`parts.${one}`)}>
        {available.isPending ? (
          <SkeletonRows rows={6} height={48} />
        ) : available.isError ? (
          <ErrorState error={available.error} onRetry={() => void available.refetch()} />
        ) : (
          <Part part={selected} available={available.data} />
        )}
      </PartTabs>
    </ScreenFrame>
  )
}

function Part({ part, available }: { part: (typeof INTEGRATION_PARTS)[number]; available: AvailableFeatures }) {
  switch (part) {
    case 'cron':
      return <Cron available={available} />
    case 'queues':
      return <Queues available={available} />
    case 'vault':
      return <Vault available={available} />
    case 'webhooks':
      return <Webhooks available={available} />
    case 'background':
      return <Background />
  }
}
