import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Nothing here is about time: what is waited for comes when it comes.
configure({ asyncUtilTimeout: 20_000 })

// Mantine asks for both, and jsdom has neither.
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
// A field that grows with its text measures again when fonts come.
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
})
window.HTMLElement.prototype.scrollIntoView = () => undefined

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
