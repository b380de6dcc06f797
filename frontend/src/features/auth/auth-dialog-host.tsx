/**
 * The sign-in dialog, mounted by the app once somebody asked for it. Opens on the chosen tab; its
 * fields live only as long as it is open, so closing resets them.
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
  // Shared by the three forms: whoever typed an address need not type it again in the next tab.
  const [email, setEmail] = useState('')
  const [username, setUsername] = useState('')
  const [toConfirm, setToConfirm] = useState<string | null>(null)
  const shared = { email, onEmailChange: setEmail }
  const notice = useAuthNotice()
  const said = toConfirm !== null ? 'confirm' : notice !== null ? (`arrival.${notice}` as const) : tab

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeAuthDialog()}
      title={t(`${said}.title`)}
      description={said === 'confirm' ? undefined : t(`${said}.intro`)}
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

/** Whoever came here to report something may do so as nobody. */
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

/** Closing it gives the sign-in up: half a session is nobody's. */
function SecondStepDialog() {
  const { t } = useTranslation('auth')
  const { signOut, status } = useSession()
  // Another tab may have shown the factor meanwhile.
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
