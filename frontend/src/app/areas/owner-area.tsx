import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import { useTranslation } from '@/lib/i18n'
import type { PageMatch } from '@/lib/pages'
import { AreaNav } from './area-nav'

const GROUPS = [{ pages: ['addServer', 'creatorTools', 'arcadeSpotsManagement'] }] as const

/** What owners of servers do. Where one comes back from paying there is nothing else to go to. */
export function OwnerArea({ match: { key } }: { match: PageMatch }) {
  const { t } = useTranslation('areas')
  const isReturn = key === 'prestigeSuccess' || key === 'arcadeSpotsSuccess'
  return (
    <>
      {!isReturn && <AreaNav label={t('owner.nav')} groups={GROUPS} />}
      <ComingSoonPage page={key} />
    </>
  )
}
