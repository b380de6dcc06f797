/** Explains why a person has no access, and what to do. */
import { Button, ButtonLink } from '@/components/ui/button'
import { FailedState } from '@/components/ui/failed-state'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Access as Needs } from '@/lib/routing/pages'
import { paths } from '@/lib/routing/paths'
import { openAuthDialog } from '@/lib/session/auth-dialog'

/** The access that this person lacks, or `unknown` where it could not be read. */
export type MissingAccess = Exclude<Needs, 'everyone'> | 'unknown'

export function NoAccess({ missing, onRetry }: { missing: MissingAccess; onRetry?: (() => void) | undefined }) {
  if (missing === 'signed-in') return <NeedsSignIn />
  if (missing === 'owner') return <NeedsServer />
  return missing === 'staff' ? <StaffOnly /> : <AccessUnknown onRetry={() => onRetry?.()} />
}

function NeedsSignIn() {
  const { t } = useTranslation('access')
  return (
    <StateMessage
      heading="h1"
      drawing="locked"
      title={t('signIn.title')}
      actions={
        <>
          <Button variant="primary" onClick={() => openAuthDialog('signIn')}>
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

function NeedsServer() {
  const { t } = useTranslation('access')
  const language = useLanguage()
  return (
    <StateMessage
      heading="h1"
      drawing="empty"
      title={t('owner.title')}
      actions={
        <ButtonLink variant="primary" icon="plus" to={paths.addServer(language)}>
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
        <ButtonLink variant="primary" icon="home" to={paths.home(language)}>
          {t('staff.home')}
        </ButtonLink>
      }
    >
      {t('staff.text')}
    </StateMessage>
  )
}

function AccessUnknown({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('access')
  return (
    <FailedState
      heading="h1"

      title={t('failed.title')}
      onRetry={onRetry}
    >
      {t('failed.text')}
    </FailedState>
  )
}
