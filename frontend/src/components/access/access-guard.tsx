import { Suspense, type ReactNode } from 'react'
import { lazyComponent } from '@/lib/browser/lazy'
import type { Access as Needs } from '@/lib/routing/pages'
import { useSession } from '@/lib/session/session'
import { isStaff } from '@/lib/session/staff'
import { AccessLoading } from './access-loading'
import type { MissingAccess } from './no-access'

const NoAccess = lazyComponent(async () => (await import('./no-access')).NoAccess)

interface AccessGuardProps {
  needs: Exclude<Needs, 'everyone'>
  children: ReactNode
}

export function AccessGuard({ needs, children }: AccessGuardProps) {
  const { status, profile, profileFailed, reloadProfile } = useSession()
  if (status === 'loading') return <AccessLoading />
  if (status === 'out') return refuse('signed-in')
  if (needs === 'signed-in') return children
  if (profile === null) return profileFailed ? refuse('unknown', reloadProfile) : <AccessLoading />
  const isAllowed = needs === 'owner' ? profile.ownsServers : isStaff(profile)
  return isAllowed ? children : refuse(needs)
}

function refuse(missing: MissingAccess, onRetry?: () => void) {
  return (
    <Suspense fallback={<AccessLoading />}>
      <NoAccess missing={missing} onRetry={onRetry} />
    </Suspense>
  )
}
