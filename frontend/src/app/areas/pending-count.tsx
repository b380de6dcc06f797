import { useQuery } from '@tanstack/react-query'
import { Badge } from '@/components/ui/badge'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { overviewQuery } from '@/features/admin/api/overview'
import { waitingAt } from '@/features/admin/model/overview'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import type { LinkedPage } from './area-nav'

/** The number of pending items on a page of the administration. */
export function PendingCount({ page }: { page: LinkedPage }) {
  const { t } = useTranslation('areas')
  const language = useLanguage()
  const { data } = useQuery(overviewQuery())
  const count = data ? waitingAt(page, data) : 0
  if (count === 0) return null
  const formatted = formatNumber(count, language)
  return (
    <Badge tone="accent">
      <span aria-hidden="true">{formatted}</span>
      <VisuallyHidden>{t('admin.waiting', { count, formatted })}</VisuallyHidden>
    </Badge>
  )
}
