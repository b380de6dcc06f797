/**
 * The sign-in dialog; the app mounts it when somebody first opens it. Opens on the chosen tab; its
 * fields are unmounted when it closes, which resets them.
 */
import { useEffect, useState } from 'react'
import { Link } from '@/components/ui/link'
import { useTranslation } from '@/lib/i18n/i18n'
import { Dialog } from '@/components/ui/dialog'
import { Tabs } from '@/components/ui/tabs'
import { closeAuthDialog, openAuthDialog, useAuthDialog, useAuthNotice, type AuthTab } from '@/lib/session/auth-dialog'
import { paths } from '@/lib/routing/paths'
import { useReportDialog } from '@/entities/report/dialog'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { ConfirmNotice } from './components/confirm-notice'
import { ResetForm } from './components/reset-form'
import { SecondStep } from './components/second-step'
import { SignInForm } from './components/sign-in-form'
import { SignUpForm } from './components/sign-up-form'
import styles from './components/form.module.css'

export function AuthDialogHost() {
  const view = useAuthDialog()
  if (view === null) return null
  return view === 'secondStep' ? <SecondStepDialog /> : <AuthDialog tab={view} />
}

function AuthDialog({ tab }: { tab: AuthTab }) {
  const { t } = useTranslation('auth')
  // Shared by the three forms, so that an address need not be typed again in another tab.
  const [email, setEmail] = useState('')
  const [username, setUsername] = useState('')
  const [toConfirm, setToConfirm] = useState<string | null>(null)
  const shared = { email, onEmailChange: setEmail }
  const notice = useAuthNotice()
  const textKey = toConfirm !== null ? 'confirm' : notice !== null ? (`arrival.${notice}` as const) : tab

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeAuthDialog()}
      title={t(`${textKey}.title`)}
      description={textKey === 'confirm' ? undefined : t(`${textKey}.intro`)}
    >
      {toConfirm === null ? (
        <Tabs
          breaks
          label={t('tabs.label')}
          value={tab}
          onValueChange={(next) => openAuthDialog(next)}
          tabs={[
            { name: 'signIn', label: t('tabs.signIn'), panel: <SignInForm {...shared} onConfirm={setToConfirm} /> },
            {
              name: 'signUp',
              label: t('tabs.signUp'),
              panel: (
                <SignUpForm {...shared} username={username} onUsernameChange={setUsername} onConfirm={setToConfirm} />
              ),
            },
            { name: 'reset', label: t('tabs.reset'), panel: <ResetForm {...shared} /> },
          ]}
        />
      ) : (
        <ConfirmNotice email={toConfirm} />
      )}
      <PublicReportLink />
    </Dialog>
  )
}

/** A person who wanted to report something may also do so without an account. */
function PublicReportLink() {
  const { t } = useTranslation('auth')
  const language = useLanguage()
  const target = useReportDialog()
  if (target === null) return null
  const about = new URLSearchParams({ [target.kind]: target.id })
  return (
    <p className={styles.without}>
      {t('notice.lead')}{' '}
      <Link to={`${paths.publicReport(language)}?${about.toString()}`} onClick={closeAuthDialog}>
        {t('notice.link')}
      </Link>
    </p>
  )
}

/** Closing the dialog abandons the sign-in: a session without its second factor is not kept. */
function SecondStepDialog() {
  const { t } = useTranslation('auth')
  const { signOut, status } = useSession()
  // Another tab may have verified the factor meanwhile.
  useEffect(() => {
    if (status === 'in') closeAuthDialog()
  }, [status])
  function giveUp(): void {
    closeAuthDialog()
    void signOut()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && giveUp()}
      title={t('secondStep.title')}
      description={t('secondStep.intro')}
    >
      <SecondStep onGiveUp={giveUp} />
    </Dialog>
  )
}
