import { useTranslation } from '@/lib/i18n'
import { useSearchParams } from 'react-router'
import { Tabs } from '@/components/ui/tabs'
import { DangerTab } from '@/features/account/danger-tab'
import { SecurityTab } from '@/features/account/security-tab'
import { ProfileHead } from '@/features/profile/profile-head'
import { ProfileTab } from '@/features/profile/profile-tab'
import { useSession } from '@/lib/session'

const TABS = ['profile', 'security', 'danger'] as const
type Tab = (typeof TABS)[number]

/** The tab stands in the address, so that links lead to it. */
export function ProfilePage() {
  const { t } = useTranslation('profile')
  const { user, profile } = useSession()
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('tab')
  const tab = TABS.find((name) => name === wanted) ?? 'profile'
  if (user === null) return null
  const email = user.email ?? ''
  const panels: Record<Tab, React.ReactNode> = {
    profile: <ProfileTab userId={user.id} email={email} />,
    security: <SecurityTab email={email} />,
    danger: <DangerTab username={profile?.username ?? email} />,
  }
  return (
    <>
      <ProfileHead userId={user.id} email={email} profile={profile} />
      <Tabs
        label={t('tabs.label')}
        value={tab}
        onValueChange={(next) => setQuery(next === 'profile' ? {} : { tab: next }, { replace: true })}
        tabs={TABS.map((name) => ({ name, label: t(`tabs.${name}`), panel: panels[name] }))}
      />
    </>
  )
}
