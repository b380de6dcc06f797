/** What the profile shows while nobody is signed in, or nobody is known yet. */
import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { openAuthDialog } from '@/lib/auth-dialog'
import styles from './profile-entry.module.css'

export function ProfileEntry() {
  const { t } = useTranslation('profile')
  return (
    <StateMessage
      heading="h1"
      drawing="locked"
      title={t('entry.title')}
      actions={
        <>
          <Button look="primary" onClick={() => openAuthDialog('signIn')}>
            {t('entry.signIn')}
          </Button>
          <Button onClick={() => openAuthDialog('signUp')}>{t('entry.signUp')}</Button>
        </>
      }
    >
      {t('entry.text')}
    </StateMessage>
  )
}

export function ProfileLoading() {
  const { t } = useTranslation('profile')
  return (
    <div className={styles.loading} role="status" aria-label={t('loading')}>
      <div className={styles.head}>
        <Skeleton width="4.5rem" height="4.5rem" radius="var(--radius-lg)" />
        <div className={styles.lines}>
          <Skeleton width="12rem" height="2rem" />
          <Skeleton width="16rem" height="1rem" />
        </div>
      </div>
      <Skeleton height="2.75rem" radius="var(--radius-md)" />
      <Skeleton height="14rem" radius="var(--radius-lg)" />
    </div>
  )
}
