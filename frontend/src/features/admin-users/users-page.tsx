/** The accounts of the site, and the bans on voting. */
import { useSearchParams } from 'react-router'
import { PageHeader } from '@/components/ui/page-header'
import { TabLinks } from '@/components/ui/tab-links'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { BansView } from './components/bans-view'
import { PeopleView } from './components/people-view'
import styles from './admin-users.module.css'

export function UsersPage() {
  const { t } = useTranslation(['admin-users', 'leads', 'pages'])
  const language = useLanguage()
  const [params] = useSearchParams()
  const isBans = params.get('view') === 'bans'
  const here = paths.adminUsers(language)
  return (
    <div className={styles.page}>
      <PageHeader title={t('pages:adminUsers')} description={t('leads:adminUsers')} />
      <TabLinks
        label={t('pages:adminUsers')}
        tabs={[
          { to: here, label: t('admin-users:view.people'), open: !isBans },
          { to: `${here}?view=bans`, label: t('admin-users:view.bans'), open: isBans },
        ]}
      />
      {isBans ? <BansView /> : <PeopleView />}
    </div>
  )
}
