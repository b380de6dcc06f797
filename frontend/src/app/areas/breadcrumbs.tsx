import { Link } from '@/components/ui/link'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import type { PageKey } from '@/lib/routing/pages'
import { paths } from '@/lib/routing/paths'
import styles from './breadcrumbs.module.css'

/** The path to the current page of the administration, as links. */
export function Breadcrumbs({ page }: { page: PageKey }) {
  const { t } = useTranslation(['areas', 'pages'])
  return (
    <nav aria-label={t('admin.path')}>
      <ol className={styles.way}>
        <li>
          <Link to={paths.admin(useLanguage())}>{t('pages:admin')}</Link>
        </li>
        <li aria-current="page">{t(`pages:${page}`)}</li>
      </ol>
    </nav>
  )
}
