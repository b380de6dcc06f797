import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

// Files share a thread, its document and the packages; our own modules are loaded anew for each
// file, with their state.
vi.resetModules()

// No test depends on time, so waits are long.
configure({ asyncUtilTimeout: 20_000 })

// Mantine uses both, and jsdom has neither.
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}))
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
)
// A growing text field measures again when fonts are loaded.
Object.defineProperty(document, 'fonts', {
  configurable: true, // Files share a document, and each defines it.
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
})
window.HTMLElement.prototype.scrollIntoView = () => undefined

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

// Reverts what a file changed in the thread.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.head.replaceChildren()
  document.body.replaceChildren()
  history.replaceState(null, '', '/console/')
})
