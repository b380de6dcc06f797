/**
 * Components whose code is fetched when they are first shown. A failed fetch never blanks the page:
 * it is retried, and a page of an earlier release is reloaded once, unless that would lose input.
 */
import { createElement, lazy, useState, type ComponentType, type FunctionComponent } from 'react'
import { announceRelease, retryForever } from './connection-status'
import { isAnythingTyped } from './unsaved-input'

/** A function that fetches a module and keeps the result. */
export interface LazyModule<Module> {
  (): Promise<Module>
  /** The module, after it has been fetched. */
  loaded?: Module
}

/** `lazyModule(() => import('./page'))` */
export function lazyModule<Module>(load: () => Promise<Module>): LazyModule<Module> {
  const module: LazyModule<Module> = async () => (module.loaded ??= await load())
  return module
}

/**
 * A component that is fetched when it is first shown:
 * `lazyComponent(async () => (await import('./window')).Window)`. The component of a lazy module,
 * `lazyComponent(page, (module) => module.Page)`, renders at once if the module is loaded; even a
 * resolved promise would first show the loading state.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): FunctionComponent<Props>
export function lazyComponent<Module, Props extends object>(
  load: LazyModule<Module>,
  pick: (module: Module) => ComponentType<Props>,
): FunctionComponent<Props>
export function lazyComponent<Module, Props extends object>(
  load: LazyModule<Module>,
  pick = (module: Module) => module as ComponentType<Props>,
): FunctionComponent<Props> {
  const Awaited = lazy(async () => ({ default: pick(await loadWithRetry(load)) }))
  return function Part(props: Props) {
    // Chosen once for each instance: a later change of the type would remount the component.
    const [Shown] = useState(() => (load.loaded ? pick(load.loaded) : (Awaited as ComponentType<Props>)))
    return createElement(Shown, props)
  }
}

/** Loads a module that is not a component, with the same retries. Never rejects. */
export function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  return retryForever(
    async () => {
      await Promise.all([...lostStyles].map(fetchStyle))
      return load()
    },
    async (failures) => {
      // The first retry checks nothing. A browser may cache a failed import until a reload.
      if (failures === 1) return
      const entry = await newestEntry()
      if (entry !== null && (entry !== OWN_ENTRY || failures > HOPELESS)) renew()
    },
  )
}

const HOPELESS = 3
const OWN_ENTRY = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''
const RENEWED = 'palmares-renewed'

/** Entry script of the page that the server now serves; null if the server does not answer. */
async function newestEntry(): Promise<string | null> {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store', headers: { accept: 'text/html' } })
    if (!answer.ok) return null
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null
  } catch {
    return null
  }
}

/** Reloads the page, once for each entry script to avoid a loop; else shows the reload notice. */
function renew(): void {
  if (isAnythingTyped() || !mayRenew()) return announceRelease()
  location.reload()
}

function mayRenew(): boolean {
  try {
    if (sessionStorage.getItem(RENEWED) === OWN_ENTRY) return false
    sessionStorage.setItem(RENEWED, OWN_ENTRY)
    return true
  } catch {
    return false
  }
}

/** Style sheets that failed to load; the preloader requests each once, so they are fetched here. */
const lostStyles = new Set<string>()

window.addEventListener('vite:preloadError', ({ payload }) => {
  const style = /Unable to preload CSS for (\S+)/.exec(payload.message)?.[1]
  if (style !== undefined) lostStyles.add(style)
})

function fetchStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.addEventListener('load', () => {
      lostStyles.delete(href)
      resolve()
    })
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`the style sheet ${href} does not come`))
    })
    document.head.append(link)
  })
}
