import { StatusBadge } from '@/components/ui/badge'
import { useTranslation } from '@/lib/i18n/i18n'
import { backlinkState, type Backlink } from '../model/partner'

const STATUS = { none: 'off', asked: 'waiting', linked: 'good' } as const

/** The state of the link back. */
export function BacklinkBadge({ partner }: { partner: Backlink }) {
  const { t } = useTranslation('partners')
  const found = backlinkState(partner)
  if (found.state === 'faulty')
    return <StatusBadge status={found.fault === 'noLink' ? 'bad' : 'waiting'}>{t(`faults.${found.fault}`)}</StatusBadge>
  return <StatusBadge status={STATUS[found.state]}>{t(`states.${found.state}`)}</StatusBadge>
}
