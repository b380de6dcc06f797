import { TabLinks } from '@/components/ui/tab-links'
import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import { useTranslation } from '@/lib/i18n'
import type { PageMatch } from '@/lib/pages'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'

const PAGES = ['addServer', 'creatorTools', 'arcadeSpotsManagement'] as const

/** What owners of servers do. Where one comes back from paying there is nothing else to go to. */
export function OwnerArea({ match: { key } }: { match: PageMatch }) {
  const { t } = useTranslation(['areas', 'pages'])
  const language = useLanguage()
  const isReturn = key === 'prestigeSuccess' || key === 'arcadeSpotsSuccess'
  const tabs = PAGES.map((page) => ({ to: paths[page](language), label: t(`pages:${page}`) }))
  return (
    <>
      {!isReturn && <TabLinks label={t('owner.nav')} tabs={tabs} />}
      <ComingSoonPage page={key} />
    </>
  )
}
