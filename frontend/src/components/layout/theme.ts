/** Dark or light: the system's wish until the reader chooses; the choice is kept. */
import { useSyncExternalStore } from 'react'

export type Theme = 'dark' | 'light'

/** Read by the script in index.html as well, before anything is drawn. */
const KEY = 'palmares-theme'
const listeners = new Set<() => void>()

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme)
}

export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'dark' || chosen === 'light') return chosen
  return systemWish().matches ? 'light' : 'dark'
}

function subscribe(listener: () => void): () => void {
  const wish = systemWish()
  listeners.add(listener)
  wish.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    wish.removeEventListener('change', listener)
  }
}

function systemWish(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: light)')
}
