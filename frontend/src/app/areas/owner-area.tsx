import { pages } from 'virtual:pages/owner'
import { TabLinks } from '@/components/ui/tab-links'
import { useTranslation } from '@/lib/i18n/i18n'
import { pageOf, type PageMatch } from '@/lib/routing/pages'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { navGroups } from './nav-groups'
import { PageOf } from './page-part'
import styles from './owner-area.module.css'

export { pages }

export const OWNER_GROUPS = navGroups('owner', ['tabs'])

/**
 * Pages for owners of servers. The page that edits a server and the page after a payment have no
 * menu.
 */
export function OwnerArea({ match }: { match: PageMatch }) {
  const { t } = useTranslation(['areas', 'pages'])
  const language = useLanguage()
  const tabs = OWNER_GROUPS.flatMap((group) => group.pages)
  return (
    <>
      {pageOf(match.key).nav !== null && (
        <div className={styles.tabs}>
          <TabLinks
            label={t('owner.nav')}
            tabs={tabs.map((page) => ({ to: paths[page](language), label: t(`pages:${page}`) }))}
          />
        </div>
      )}
      <PageOf pages={pages} match={match} />
    </>
  )
}
