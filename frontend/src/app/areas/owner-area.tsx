import type { QueryClient } from '@tanstack/react-query'
import { TabLinks } from '@/components/ui/tab-links'
import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import { useTranslation } from '@/lib/i18n'
import { keeping, lazyOf } from '@/lib/lazy'
import type { PageKey, PageMatch } from '@/lib/pages'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'

const add = keeping(() => import('../pages/add-server-page'))
const edit = keeping(() => import('../pages/edit-server-page'))
const tools = keeping(() => import('@/features/creator-tools/creator-tools-page'))

const arcade = keeping(() => import('../pages/arcade-page'))
const comeBack = keeping(() => import('@/features/payments/return-page'))

const AddServerPage = lazyOf(add, (module) => module.AddServerPage)
const EditServerPage = lazyOf(edit, (module) => module.EditServerPage)
const CreatorToolsPage = lazyOf(tools, (module) => module.CreatorToolsPage)
const ArcadePage = lazyOf(arcade, (module) => module.ArcadePage)
const ReturnPage = lazyOf(comeBack, (module) => module.ReturnPage)

const PAGES = ['addServer', 'creatorTools', 'arcadeSpotsManagement'] as const

const isEditing = (key: PageKey) => key.startsWith('editServer')
const isReturn = (key: PageKey) => key === 'prestigeSuccess' || key === 'arcadeSpotsSuccess'

/** The code of a page, which is fetched by itself: who adds a server draws no spots. */
export async function preloadRows(_queries: QueryClient, { key }: PageMatch): Promise<void> {
  if (key === 'addServer') await add()
  if (isEditing(key)) await edit()
  if (key === 'creatorTools') await tools()
  if (key === 'arcadeSpotsManagement') await arcade()
  if (isReturn(key)) await comeBack()
}

/** What owners of servers do. Where one comes back from paying there is nothing else to go to. */
export function OwnerArea({ match }: { match: PageMatch }) {
  const { t } = useTranslation(['areas', 'pages'])
  const language = useLanguage()
  const { key } = match
  if (isEditing(key)) return <EditServerPage match={match} />
  const tabs = PAGES.map((page) => ({ to: paths[page](language), label: t(`pages:${page}`) }))
  return (
    <>
      {!isReturn(key) && <TabLinks label={t('owner.nav')} tabs={tabs} />}
      <OwnerPage page={key} />
    </>
  )
}

function OwnerPage({ page }: { page: PageKey }) {
  if (page === 'addServer') return <AddServerPage />
  if (page === 'creatorTools') return <CreatorToolsPage />
  if (page === 'arcadeSpotsManagement') return <ArcadePage />
  if (page === 'arcadeSpotsSuccess') return <ReturnPage kind="arcade" />
  if (page === 'prestigeSuccess') return <ReturnPage kind="prestige" />
  return <ComingSoonPage page={page} />
}
