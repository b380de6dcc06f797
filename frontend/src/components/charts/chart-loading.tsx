import { Skeleton } from '@/components/ui/skeleton'
import { useTranslation } from '@/lib/i18n/i18n'

/** A placeholder with the height of a chart. */
export function ChartLoading() {
  const { t } = useTranslation('ui')
  return (
    <div role="status" aria-label={t('loading')}>
      <Skeleton height="16.5rem" radius="var(--radius-lg)" />
    </div>
  )
}
