import { useTranslation } from '@/lib/i18n/i18n'
import { Link } from '@/components/ui/link'
import { RoleBadge } from '@/components/layout/role-badge'
import { Icon, type IconName } from '@/components/ui/icon'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './account-menu.module.css'

/** The name of the account, and the pages it can reach. */
export function AccountMenu({ name, onChosen }: { name: string; onChosen: () => void }) {
  return (
    <>
      <AccountHead name={name} />
      <AccountLinks onChosen={onChosen} />
    </>
  )
}

/** Name and role of the account. */
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
