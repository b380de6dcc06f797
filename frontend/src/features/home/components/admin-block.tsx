import { useTranslation } from '@/lib/i18n/i18n'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { isStaff } from '@/lib/session/staff'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './admin-block.module.css'

/**
 * A link to the administration, for administrators and moderators. Hiding it protects nothing: the
 * database does.
 */
export function AdminBlock() {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const { profile } = useSession()
  if (!isStaff(profile)) return null
  return (
    <aside className={styles.block} aria-label={t('admin.title')}>
      <Icon name="shield" />
      <p>
        <strong>{t('admin.title')}</strong> {t('admin.text')}
      </p>
      <ButtonLink to={paths.admin(language)} size="small">
        {t('admin.open')}
      </ButtonLink>
    </aside>
  )
}
