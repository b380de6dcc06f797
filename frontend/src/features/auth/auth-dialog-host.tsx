/**
 * The sign-in dialog, mounted by the app once somebody asked for it. Opens on the chosen tab; its
 * fields live only as long as it is open, so closing resets them.
 */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/ui/dialog'
import { Tabs } from '@/components/ui/tabs'
import { closeAuthDialog, openAuthDialog, useAuthDialog, type AuthTab } from '@/lib/auth-dialog'
import { ConfirmNotice } from './components/confirm-notice'
import { ResetForm } from './components/reset-form'
import { SignInForm } from './components/sign-in-form'
import { SignUpForm } from './components/sign-up-form'

export function AuthDialogHost() {
  const tab = useAuthDialog()
  return tab === null ? null : <AuthDialog tab={tab} />
}

function AuthDialog({ tab }: { tab: AuthTab }) {
  const { t } = useTranslation('auth')
  // Shared by the three forms: whoever typed an address need not type it again in the next tab.
  const [email, setEmail] = useState('')
  const [toConfirm, setToConfirm] = useState<string | null>(null)
  const shared = { email, onEmailChange: setEmail }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeAuthDialog()}
      title={toConfirm === null ? t(`${tab}.title`) : t('confirm.title')}
      description={toConfirm === null ? t(`${tab}.intro`) : undefined}
      closeLabel={t('close')}
    >
      {toConfirm === null ? (
        <Tabs
          label={t('tabs.label')}
          value={tab}
          onValueChange={openAuthDialog}
          tabs={[
            { name: 'sign-in', label: t('tabs.sign-in'), panel: <SignInForm {...shared} onConfirm={setToConfirm} /> },
            { name: 'sign-up', label: t('tabs.sign-up'), panel: <SignUpForm {...shared} onConfirm={setToConfirm} /> },
            { name: 'reset', label: t('tabs.reset'), panel: <ResetForm {...shared} /> },
          ]}
        />
      ) : (
        <ConfirmNotice email={toConfirm} />
      )}
    </Dialog>
  )
}
