import type { User } from '@supabase/supabase-js'
import { useTranslation } from '@/lib/i18n'
import { Link } from 'react-router'
import { RoleBadge } from '@/components/layout/role-badge'
import { Button, buttonClass } from '@/components/ui/button'
import { Icon, type IconName } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { Skeleton } from '@/components/ui/skeleton'
import { openAuthDialog } from '@/lib/auth-dialog'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useLanguage } from '@/lib/use-language'
import styles from './account.module.css'

/** Who is signed in and what they can reach, or the way to sign in. */
export function Account() {
  const { t } = useTranslation('shell')
  const { status, user } = useSession()
  if (status === 'loading') return <Skeleton width="2.5rem" height="2.5rem" radius="var(--radius-md)" />
  if (user !== null) return <AccountMenu user={user} />
  return (
    <span className={styles.entry}>
      <Button look="quiet" className={styles.signIn} onClick={() => openAuthDialog('signIn')}>
        {t('account.signIn')}
      </Button>
      <Button look="primary" className={styles.signUp} onClick={() => openAuthDialog('signUp')}>
        {t('account.signUp')}
      </Button>
    </span>
  )
}

function AccountMenu({ user }: { user: User }) {
  const { t } = useTranslation('shell')
  const name = user.email?.split('@')[0] ?? ''
  return (
    <Popover
      label={t('account.open')}
      trigger={(button) => (
        <button
          type="button"
          {...button}
          className={buttonClass({ look: 'quiet' })}
          aria-label={t('account.openNamed', { name })}
        >
          {/* Drawn by the style sheet: as text it would be part of what the button is called. */}
          <span className={styles.avatar} data-letter={name[0]?.toUpperCase()} />
          <span className={styles.name}>{name}</span>
          <Icon name="chevron-down" size={16} />
        </button>
      )}
    >
      {(close) => (
        <>
          <AccountHead name={name} />
          <AccountLinks onChosen={close} />
        </>
      )}
    </Popover>
  )
}

/** Who it is, and what they are here. */
function AccountHead({ name }: { name: string }) {
  const { user, profile } = useSession()
  return (
    <div className={styles.head}>
      <p className={styles.who}>{profile?.username ?? name}</p>
      <p className={styles.address}>{user?.email}</p>
      {profile && <RoleBadge profile={profile} />}
    </div>
  )
}

function AccountLinks({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const { profile, signOut } = useSession()
  const mayAdminister = profile?.role === 'admin' || profile?.role === 'founder'
  const links: [IconName, string, string][] = [
    ['user', paths.profile(language), t('account.profile')],
    ['sparkles', paths.creatorTools(language), t('account.creatorTools')],
    ...(mayAdminister ? [['shield', paths.admin(language), t('account.admin')] as [IconName, string, string]] : []),
  ]
  return (
    <ul className={styles.menu}>
      {links.map(([icon, to, label]) => (
        <li key={to}>
          <Link to={to} className={styles.item} onClick={onChosen}>
            <Icon name={icon} size={18} />
            {label}
          </Link>
        </li>
      ))}
      <li className={styles.last}>
        <button
          type="button"
          className={styles.item}
          onClick={() => {
            onChosen()
            void signOut()
          }}
        >
          <Icon name="logout" size={18} />
          {t('account.signOut')}
        </button>
      </li>
    </ul>
  )
}
