/**
 * Shows what is for some people only to them, and says to everybody else why not and what to do. It hides and protects
 * nothing: what a person may read and change is decided by the database.
 */
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '@/components/ui/button'
import { RetryButton } from '@/components/ui/retry-button'
import { StateMessage } from '@/components/ui/state-message'
import { openAuthDialog } from '@/lib/auth-dialog'
import { useTranslation } from '@/lib/i18n'
import type { Access as Needs } from '@/lib/pages'
import { paths } from '@/lib/paths'
import { useSession, type Profile } from '@/lib/session'
import { useLanguage } from '@/lib/use-language'
import { AccessLoading } from './access-loading'

interface AccessProps {
  needs: Needs
  children: ReactNode
}

export function Access({ needs, children }: AccessProps) {
  const { status, profile, profileFailed, reloadProfile } = useSession()
  if (needs === 'everyone') return children
  if (status === 'loading') return <AccessLoading />
  if (status === 'out') return <SignInFirst />
  if (needs === 'signed-in') return children
  if (profile === null) return profileFailed ? <Failed onRetry={reloadProfile} /> : <AccessLoading />
  if (needs === 'owner') return profile.ownsServers ? children : <ServerFirst />
  return isStaff(profile) ? children : <StaffOnly />
}

/** Whether somebody runs the site. */
export function isStaff(profile: Profile | null): boolean {
  return profile?.role === 'admin' || profile?.role === 'founder'
}

function SignInFirst() {
  const { t } = useTranslation('access')
  return (
    <StateMessage
      heading="h1"
      drawing="locked"
      title={t('signIn.title')}
      actions={
        <>
          <Button look="primary" onClick={() => openAuthDialog('signIn')}>
            {t('signIn.enter')}
          </Button>
          <Button onClick={() => openAuthDialog('signUp')}>{t('signIn.join')}</Button>
        </>
      }
    >
      {t('signIn.text')}
    </StateMessage>
  )
}

function ServerFirst() {
  const { t } = useTranslation('access')
  const language = useLanguage()
  return (
    <StateMessage
      heading="h1"
      drawing="empty"
      title={t('owner.title')}
      actions={
        <ButtonLink look="primary" icon="plus" to={paths.addServer(language)}>
          {t('owner.add')}
        </ButtonLink>
      }
    >
      {t('owner.text')}
    </StateMessage>
  )
}

function StaffOnly() {
  const { t } = useTranslation('access')
  const language = useLanguage()
  return (
    <StateMessage
      heading="h1"
      drawing="locked"
      title={t('staff.title')}
      actions={
        <ButtonLink look="primary" icon="home" to={paths.home(language)}>
          {t('staff.home')}
        </ButtonLink>
      }
    >
      {t('staff.text')}
    </StateMessage>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('access')
  return (
    <StateMessage
      announced
      heading="h1"
      drawing="failed"
      title={t('failed.title')}
      actions={<RetryButton look="primary" onClick={onRetry} />}
    >
      {t('failed.text')}
    </StateMessage>
  )
}
