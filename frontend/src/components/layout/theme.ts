/**
 * The theme, dark or light: the system's preference until the reader chooses; the choice is stored.
 */
import { useSyncExternalStore } from 'react'
import { storedValue } from '@/lib/browser/stored'

export type Theme = 'dark' | 'light'

/** The script in index.html also reads this value before the first paint, so it is plain text. */
const themeStore = storedValue<Theme | null>(
  'palmares-theme',
  (text) => (text === 'dark' || text === 'light' ? text : null),
  (theme) => theme,
)

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme)
}

export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  themeStore.set(theme)
}

function currentTheme(): Theme {
  const chosen = themeStore.get() ?? document.documentElement.dataset.theme
  if (chosen === 'dark' || chosen === 'light') return chosen
  return systemWish().matches ? 'light' : 'dark'
}

function subscribe(listener: () => void): () => void {
  const wish = systemWish()
  wish.addEventListener('change', listener)
  const stop = themeStore.subscribe(() => {
    const chosen = themeStore.get()
    // The theme was chosen in another tab.
    if (chosen !== null) document.documentElement.dataset.theme = chosen
    listener()
  })
  return () => {
    stop()
    wish.removeEventListener('change', listener)
  }
}

function systemWish(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: light)')
}
