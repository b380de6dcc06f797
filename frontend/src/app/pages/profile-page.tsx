import type { QueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { FormLoading } from '@/components/form/form-loading'
import { Tabs } from '@/components/ui/tabs'
import { ProfileHead } from '@/features/profile/profile-head'
import { ProfileTab } from '@/features/profile/profile-tab'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent, lazyModule, loadWithRetry } from '@/lib/browser/lazy'
import type { PageMatch } from '@/lib/routing/pages'
import { useSession } from '@/lib/session/session'

/**
 * Most people come for the first tab; the code of the others is fetched when the address names
 * them, or when their link is hovered or focused.
 */
const security = lazyModule(() => import('@/features/account/security-tab'))
const danger = lazyModule(() => import('@/features/account/danger-tab'))

const SecurityTab = lazyComponent(security, (module) => module.SecurityTab)
const DangerTab = lazyComponent(danger, (module) => module.DangerTab)

/** Below everything that most people come for. */
const Purchases = lazyComponent(async () => (await import('./purchases')).Purchases)

const CODE: Partial<Record<Tab, () => Promise<unknown>>> = { security, danger }

const TABS = ['profile', 'security', 'danger'] as const
type Tab = (typeof TABS)[number]

/** The code of the tab that the address names. */
export async function preloadRows(_queries: QueryClient, _match: PageMatch, query: URLSearchParams): Promise<void> {
  await CODE[tabOf(query)]?.()
}

function tabOf(query: URLSearchParams): Tab {
  return TABS.find((name) => name === query.get('tab')) ?? 'profile'
}

/** The tab is part of the address, so that links lead to it. */
export function ProfilePage() {
  const { t } = useTranslation('profile')
  const { user, profile } = useSession()
  const [query, setQuery] = useSearchParams()
  const tab = tabOf(query)
  if (user === null) return null
  const email = user.email ?? ''
  const panels: Record<Tab, React.ReactNode> = {
    profile: (
      <ProfileTab
        userId={user.id}
        email={email}
        purchases={
          <Suspense fallback={<FormLoading fields={3} />}>
            <Purchases userId={user.id} />
          </Suspense>
        }
      />
    ),
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
        tabs={TABS.map((name) => ({
          name,
          label: t(`tabs.${name}`),
          panel: <Suspense fallback={<FormLoading fields={3} />}>{panels[name]}</Suspense>,
          warm: () => void loadWithRetry(async () => CODE[name]?.()),
        }))}
      />
    </>
  )
}
