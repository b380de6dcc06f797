/**
 * Shows content only to people with the required access, and tells everybody else why and what to
 * do. This protects nothing: the database decides what a person may read and change. Public pages
 * fetch none of this code.
 */
import { Suspense, type ReactNode } from 'react'
import { lazyModule, lazyComponent } from '@/lib/browser/lazy'
import type { Access as Needs } from '@/lib/routing/pages'

/** Fetches the guard before a page with restricted access is drawn. */
export const accessGuard = lazyModule(() => import('./access-guard'))

const AccessGuard = lazyComponent(accessGuard, (module) => module.AccessGuard)

export function Access({ needs, children }: { needs: Needs; children: ReactNode }) {
  if (needs === 'everyone') return children
  return (
    <Suspense>
      <AccessGuard needs={needs}>{children}</AccessGuard>
    </Suspense>
  )
}
