import { ComingSoonPage } from '@/features/coming-soon/coming-soon-page'
import { useTranslation } from '@/lib/i18n'
import type { PageMatch } from '@/lib/pages'
import { useDocumentHead } from '@/lib/use-document-head'
import { AdminOverview } from './admin-overview'
import { ADMIN_PAGES } from './admin-pages'
import { ADMIN_GROUPS, ADMIN_SECTIONS } from './admin-sections'
import { AreaLayout } from './area-layout'
import { Waiting } from './waiting'
import { Way } from './way'

const FIRST = { pages: ['admin'] } as const

/** What those who run the site do: its sections beside the one that is open, and what waits in each. */
export function AdminArea({ match }: { match: PageMatch }) {
  const { key } = match
  const Screen = ADMIN_PAGES[key]
  const { t } = useTranslation(['areas', 'pages', 'seo'])
  useDocumentHead(key === 'admin' ? null : { title: `${t(`pages:${key}`)} | ${t('seo:admin.title')}`, indexed: false })
  const groups = ADMIN_GROUPS.map((group) => ({ title: t(`admin.groups.${group}`), pages: ADMIN_SECTIONS[group] }))
  return (
    <AreaLayout
      label={t('admin.nav')}
      current={key}
      groups={[FIRST, ...groups]}
      aside={(page) => <Waiting page={page} />}
    >
      {key === 'admin' ? (
        <AdminOverview />
      ) : (
        <>
          <Way page={key} />
          {Screen ? <Screen key={key} match={match} /> : <ComingSoonPage page={key} />}
        </>
      )}
    </AreaLayout>
  )
}
