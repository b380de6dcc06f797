import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

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
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
})
window.HTMLElement.prototype.scrollIntoView = () => undefined

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
