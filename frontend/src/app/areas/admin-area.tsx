import { pages } from 'virtual:pages/admin'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PageMatch } from '@/lib/routing/pages'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { ADMIN_GROUPS } from './admin-groups'
import { AreaLayout } from './area-layout'
import { Breadcrumbs } from './breadcrumbs'
import { PageOf } from './page-part'
import { PendingCount } from './pending-count'

export { pages }

const FIRST = { pages: ['admin'] } as const

/**
 * The administration: the menu of its sections beside the open page, with the number of pending
 * items in each.
 */
export function AdminArea({ match }: { match: PageMatch }) {
  const { key } = match
  const { t } = useTranslation(['areas', 'pages', 'seo'])
  useDocumentHead(key === 'admin' ? null : { title: `${t(`pages:${key}`)} | ${t('seo:admin.title')}`, indexed: false })
  const groups = ADMIN_GROUPS.map((group) => ({ title: t(`admin.groups.${group.name}`), pages: group.pages }))
  return (
    <AreaLayout
      label={t('admin.nav')}
      current={key}
      groups={[FIRST, ...groups]}
      aside={(page) => <PendingCount page={page} />}
    >
      {key !== 'admin' && <Breadcrumbs page={key} />}
      <PageOf key={key} pages={pages} match={match} />
    </AreaLayout>
  )
}
