import type { User } from '@supabase/supabase-js'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button, buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { Skeleton } from '@/components/ui/skeleton'
import { openAuthDialog } from '@/lib/session/auth-dialog'
import { lazyComponent } from '@/lib/browser/lazy'
import { useSession } from '@/lib/session/session'
import styles from './account.module.css'

const AccountMenu = lazyComponent(async () => (await import('./account-menu')).AccountMenu)

/** The account's name and menu, or the sign-in button. */
export function Account() {
  const { t } = useTranslation('shell')
  const { status, user } = useSession()
  if (status === 'loading') return <Skeleton width="2.5rem" height="2.5rem" radius="var(--radius-md)" />
  if (user !== null) return <AccountButton user={user} />
  return (
    <span className={styles.entry}>
      <Button variant="quiet" className={styles.signIn} onClick={() => openAuthDialog('signIn')}>
        {t('account.signIn')}
      </Button>
      <Button className={styles.signUp} onClick={() => openAuthDialog('signUp')}>
        {t('account.signUp')}
      </Button>
    </span>
  )
}

function AccountButton({ user }: { user: User }) {
  const { t } = useTranslation('shell')
  const name = user.email?.split('@')[0] ?? ''
  return (
    <Popover
      label={t('account.open')}
      trigger={(button) => (
        <button
          type="button"
          {...button}
          className={buttonClass({ variant: 'quiet' })}
          aria-label={t('account.openNamed', { name })}
        >
          {/* Drawn by the style sheet: text would become part of the button's accessible name. */}
          <span className={styles.avatar} data-letter={name[0]?.toUpperCase()} />
          <span className={styles.name}>{name}</span>
          <Icon name="chevron-down" size={16} />
        </button>
      )}
    >
      {(close) => <AccountMenu name={name} onChosen={close} />}
    </Popover>
  )
}
