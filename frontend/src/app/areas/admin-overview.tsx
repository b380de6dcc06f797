import { Link } from '@/components/ui/link'
import { PageHeader } from '@/components/ui/page-header'
import { WorkQueue } from '@/features/admin/components/work-queue'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { ADMIN_GROUPS, type AdminPage } from './admin-groups'

import styles from './admin-overview.module.css'
import { PendingCount } from './pending-count'

/** The first page of the administration: today's pending tasks, then each section. */
export function AdminOverview() {
  const { t } = useTranslation(['areas', 'leads', 'pages'])
  return (
    <>
      <PageHeader title={t('pages:admin')} description={t('leads:admin')} />
      <WorkQueue />
      {ADMIN_GROUPS.map(({ name, pages }) => (
        <section key={name} aria-labelledby={`group-${name}`} className={styles.group}>
          <h2 id={`group-${name}`} className={styles.title}>
            {t(`admin.groups.${name}`)}
          </h2>
          <ul className={styles.sections}>
            {pages.map((page) => (
              <Section key={page} page={page} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Section({ page }: { page: AdminPage }) {
  const { t } = useTranslation(['leads', 'pages'])
  const language = useLanguage()
  return (
    <li className={styles.section}>
      <p className={styles.name}>
        <Link to={paths[page](language)} className={styles.link}>
          {t(`pages:${page}`)}
        </Link>
        <PendingCount page={page} />
      </p>
      <p className={styles.lead}>{t(`leads:${page}`)}</p>
    </li>
  )
}
