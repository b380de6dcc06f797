import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { openAuthDialog } from '@/lib/auth-dialog'
import { useSession } from '@/lib/session'
import type { ServerDetail } from '../api/server'
import { ReviewForm } from './review-form'
import styles from './review-form.module.css'

/** The form for those who are signed in and do not own the server; the way there for everyone else. */
export function ReviewInvitation({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const { status, user } = useSession()
  if (status === 'loading' || (user !== null && user.id === server.owner_id)) return null
  if (status === 'in') return <ReviewForm serverId={server.id} />
  return (
    <div className={styles.invitation}>
      <p>{t('reviews.signIn')}</p>
      <Button icon="user" onClick={() => openAuthDialog('signIn')}>
        {t('reviews.signInAction')}
      </Button>
    </div>
  )
}
