/**
 * Shows what is for some people only to them, and says to everybody else why not and what to do. It hides and protects
 * nothing: what a person may read and change is decided by the database. Who only looks needs none of its code.
 */
import { Suspense, type ReactNode } from 'react'
import { lazyModule, lazyComponent } from '@/lib/browser/lazy'
import type { Access as Needs } from '@/lib/routing/pages'

/** Fetches what decides, ahead of a page that is not for everybody. */
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
