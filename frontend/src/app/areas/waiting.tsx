import { useQuery } from '@tanstack/react-query'
import { Badge } from '@/components/ui/badge'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { waitingQuery } from '@/features/admin/api/waiting'
import { formatNumber } from '@/lib/format'
import { useTranslation } from '@/lib/i18n'
import { useLanguage } from '@/lib/use-language'
import type { LinkedPage } from './area-nav'

const COUNTED = { adminServers: 'servers', adminReports: 'reports', adminTagProposals: 'proposals' } as const

/** How many servers, reports or proposals nobody has looked at yet. */
export function Waiting({ page }: { page: LinkedPage }) {
  const { t } = useTranslation('areas')
  const language = useLanguage()
  const { data } = useQuery(waitingQuery())
  const count = page in COUNTED ? data?.[COUNTED[page as keyof typeof COUNTED]] : 0
  if (!count) return null
  const formatted = formatNumber(count, language)
  return (
    <Badge tone="accent">
      <span aria-hidden="true">{formatted}</span>
      <VisuallyHidden>{t('admin.waiting', { count, formatted })}</VisuallyHidden>
    </Badge>
  )
}
