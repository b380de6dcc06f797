/**
 * Pages for developers of the site. A production build has none of them: the condition is false at
 * build time.
 */
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { lazyComponent } from '@/lib/browser/lazy'

export const developmentPages: RouteObject[] =
  import.meta.env.DEV || import.meta.env.MODE === 'kit'
    ? [
        page('/dev/kit/:section?', async () => (await import('@/features/kit/kit-page')).KitPage),
        page('/dev/table', async () => (await import('@/features/kit/table-trial')).TableTrial),
      ]
    : []

function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  const Page = lazyComponent(load)
  return { path, element: <Page /> }
}
