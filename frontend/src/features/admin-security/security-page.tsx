/** The site's logs: security events and the audit log. */
import { useSearchParams } from 'react-router'
import { PageHeader } from '@/components/ui/page-header'
import { TabLinks } from '@/components/ui/tab-links'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { AuditView } from './components/audit-view'
import { EventsView } from './components/events-view'
import styles from './security-page.module.css'

export function SecurityPage() {
  const { t } = useTranslation(['admin-security', 'leads', 'pages'])
  const language = useLanguage()
  const [params] = useSearchParams()
  const isAudit = params.get('view') === 'audit'
  const here = paths.adminSecurity(language)
  return (
    <div className={styles.page}>
      <PageHeader title={t('pages:adminSecurity')} description={t('leads:adminSecurity')} />
      <TabLinks
        label={t('admin-security:views')}
        tabs={[
          { to: here, label: t('admin-security:view.events'), open: !isAudit },
          { to: `${here}?view=audit`, label: t('admin-security:view.audit'), open: isAudit },
        ]}
      />
      {isAudit ? <AuditView /> : <EventsView />}
    </div>
  )
}
