import { pages } from 'virtual:pages/docs'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PageMatch } from '@/lib/routing/pages'
import { AreaLayout } from './area-layout'
import { navGroups } from './nav-groups'
import { PageOf } from './page-part'

export { pages }

export const DOCS_GROUPS = navGroups('docs', ['guides', 'legal'])

/** The pages of the documentation. */
export function DocsArea({ match }: { match: PageMatch }) {
  const { t } = useTranslation('areas')
  const groups = DOCS_GROUPS.map((group) => ({ title: t(`docs.groups.${group.name}`), pages: group.pages }))
  return (
    <AreaLayout label={t('docs.nav')} current={match.key} groups={groups}>
      <PageOf pages={pages} match={match} />
    </AreaLayout>
  )
}
