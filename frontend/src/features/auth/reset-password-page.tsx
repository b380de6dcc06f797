/**
 * The page behind the link of a reset email: the signed-in person chooses a new password. For an
 * expired or foreign link the page offers another email.
 */
import { useTranslation } from '@/lib/i18n/i18n'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { showToast } from '@/components/ui/toast-store'
import { openAuthDialog } from '@/lib/session/auth-dialog'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { NewPasswordForm } from './components/new-password-form'
import styles from './reset-password-page.module.css'

export function ResetPasswordPage() {
  const { t } = useTranslation('auth')
  const { status, user, awaitsSecondStep } = useSession()
  const navigate = useNavigate()
  const language = useLanguage()

  if (status === 'loading')
    return (
      <div className={styles.card} aria-busy="true" aria-label={t('newPassword.loading')}>
        <Skeleton width="60%" height="2rem" />
        <Skeleton height="2.75rem" />
        <Skeleton height="2.75rem" />
        <Skeleton height="3rem" />
      </div>
    )
  if (awaitsSecondStep)
    return (
      <StateMessage
        heading="h1"
        drawing="locked"
        title={t('newPassword.secondStep')}
        actions={
          <Button variant="primary" onClick={() => openAuthDialog('secondStep')}>
            {t('newPassword.secondStepSubmit')}
          </Button>
        }
      >
        {t('newPassword.secondStepText')}
      </StateMessage>
    )
  if (user === null) return <NoLink />
  return (
    <section className={styles.card} aria-labelledby="new-password">
      <h1 id="new-password" className={styles.title}>
        {t('newPassword.title')}
      </h1>
      <p className={styles.intro}>{t('newPassword.intro', { email: user.email ?? '' })}</p>
      <NewPasswordForm
        onDone={() => {
          showToast({ tone: 'success', title: t('newPassword.done'), description: t('newPassword.doneText') })
          void navigate(paths.profile(language), { replace: true })
        }}
      />
    </section>
  )
}

/**
 * Nobody is signed in: the link is expired, was requested in another browser, or there was none.
 */
function NoLink() {
  const { t } = useTranslation('auth')
  const language = useLanguage()
  const { arrival } = useSession()
  const kind = arrival.byLink ? 'expired' : 'missing'
  return (
    <StateMessage
      heading="h1"
      drawing="locked"
      title={t(`newPassword.${kind}`)}
      actions={
        <>
          <Button variant="primary" onClick={() => openAuthDialog('reset')}>
            {t('newPassword.another')}
          </Button>
          <ButtonLink to={paths.home(language)}>{t('newPassword.home')}</ButtonLink>
        </>
      }
    >
      {t(`newPassword.${kind}Text`)}
    </StateMessage>
  )
}
