/** A page as its area draws it: a lazily loaded component, the same way in every area. */
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { lazyModule, lazyComponent } from '@/lib/browser/lazy'
import type { PageKey, PageMatch } from '@/lib/routing/pages'

/** The exports of a page's module besides its component. */
export interface PageModule {
  readonly [name: string]: unknown
  /** Queries the rows that the page shows first; settles when they are there or have failed. */
  preloadRows?(queries: QueryClient, match: PageMatch, query: URLSearchParams): Promise<unknown>
}

type PageComponent = ComponentType<{ match: PageMatch }>

export interface PagePart {
  load: () => Promise<PageModule>
  Component: PageComponent
}

/** The pages of one area, as `virtual:pages/<area>` exports them. */
export type Pages = Readonly<Partial<Record<PageKey, PagePart>>>

export function pagePart<Module extends PageModule>(
  fetch: () => Promise<Module>,
  pick: (module: Module) => PageComponent,
): PagePart {
  const load = lazyModule(fetch)
  return { load, Component: lazyComponent(load, pick) }
}

/** The build makes both from one registry: a page that its area lacks is a bug. */
export function partOf(pages: Pages, key: PageKey): PagePart {
  const part = pages[key]
  if (part === undefined) throw new Error(`the area does not draw the page ${key}`)
  return part
}

export function PageOf({ pages, match }: { pages: Pages; match: PageMatch }) {
  const { Component } = partOf(pages, match.key)
  return <Component match={match} />
}
