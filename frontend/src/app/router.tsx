/**
 * The page at an address: the page that the registry (`lib/pages.json`) has there, drawn by its
 * area. `use-address-rules` has the redirects.
 */
import type { QueryClient } from '@tanstack/react-query'
import { useRoutes, type Location, type RouteObject } from 'react-router'
import { accessGuard } from '@/components/access/access'
import { DEFAULT_LANGUAGE } from '@/lib/i18n/languages'
import { lazyModule, lazyComponent } from '@/lib/browser/lazy'
import { pageOf, patternOf, type Area, type PageKey, type PageMatch } from '@/lib/routing/pages'
import { pageAt } from '@/lib/routing/paths'
import { MainArea, pages as mainPages } from './areas/main-area'
import { partOf, type Pages } from './areas/page-part'
import { developmentPages } from './development'
import { Page } from './page'

const account = lazyModule(() => import('./areas/account-area'))
const owner = lazyModule(() => import('./areas/owner-area'))
const admin = lazyModule(() => import('./areas/admin-area'))
const docs = lazyModule(() => import('./areas/docs-area'))

/** The modules with the pages of each area; those of `main` are part of the first chunk. */
const LOAD: Record<Area, () => Promise<{ pages: Pages }>> = {
  main: async () => ({ pages: mainPages }),
  account,
  owner,
  admin,
  docs,
}

const AREAS = {
  main: MainArea,
  account: lazyComponent(account, (module) => module.AccountArea),
  owner: lazyComponent(owner, (module) => module.OwnerArea),
  admin: lazyComponent(admin, (module) => module.AdminArea),
  docs: lazyComponent(docs, (module) => module.DocsArea),
}
const missing = lazyModule(() => import('./pages/missing-page'))
const MissingPage = lazyComponent(missing, (module) => module.MissingPage)

/**
 * The page at an address. If there is none, no router is created, because it cannot parse every
 * possible address.
 */
export function PageAt({ location }: { location: Location }) {
  const { pathname } = location
  const isKnown = pageAt(pathname) !== null || (developmentPages.length > 0 && pathname.startsWith('/dev/'))
  return isKnown ? <RouteElement location={location} /> : <MissingPage />
}

function RouteElement({ location }: { location: Location }) {
  return useRoutes(routesAt(location.pathname), location)
}

/** The only route of a path, so that a page reads its parameters with `useParams`. */
function routesAt(pathname: string): RouteObject[] {
  const match = pageAt(pathname)
  if (match === null) return developmentPages
  const AreaOfPage = AREAS[pageOf(match.key).area]
  const element = (
    <Page match={match}>
      <AreaOfPage match={match} />
    </Page>
  )
  return [{ path: routePath(match, pathname), element }]
}

/** The path with named parameters, in the router's syntax. */
function routePath({ key }: PageMatch, pathname: string): string {
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const pattern = patternOf(key, DEFAULT_LANGUAGE)
  const prefix = segments.length - pattern.length
  const named = segments.map((segment, at) => {
    const part = pattern[at - prefix]
    return part?.param && part.text === '' ? `:${part.param.name}` : segment
  })
  return `/${named.join('/')}`
}

/** Namespaces of texts that every page uses. */
export const EVERYWHERE = ['ui', 'shell', 'search'] as const

/** Namespaces of all texts that a visit beginning at a path needs. */
export function startingTexts(pathname: string): readonly string[] {
  return [...EVERYWHERE, ...textsAt(pathname)]
}

/** Namespaces of the texts a path's page needs. */
export function textsAt(pathname: string): readonly string[] {
  const match = pageAt(pathname)
  return match === null ? ['not-found', 'seo'] : textsOf(match.key)
}

/** The namespaces of a known page. */
export function textsOf(key: PageKey): readonly string[] {
  const { texts, area, access, indexed } = pageOf(key)
  return [
    ...texts,
    // The server writes the head of an indexed page. Other pages may set a more specific one.
    ...(indexed ? [] : ['seo']),
    ...(area === 'main' || area === 'account' ? [] : ['pages', 'areas', 'leads']),
    ...(access === 'everyone' ? [] : ['access']),
  ]
}

/**
 * Fetches the code of a page before it is drawn, then its rows; settles when the code is there.
 * `rows` settles when the rows are there or have failed.
 */
export async function prepare(
  queries: QueryClient,
  pathname: string,
  search: string,
): Promise<{ rows?: Promise<unknown> | undefined }> {
  const match = pageAt(pathname)
  if (match === null) {
    await missing()
    return {}
  }
  const { area, access } = pageOf(match.key)
  const [page] = await Promise.all([
    LOAD[area]().then(({ pages }) => partOf(pages, match.key).load()),
    access !== 'everyone' && accessGuard(),
  ])
  return { rows: page.preloadRows?.(queries, match, new URLSearchParams(search)) }
}
