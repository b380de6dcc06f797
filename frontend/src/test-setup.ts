import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

// Files share a thread, its document and the packages; our own modules are loaded anew for each, with their state.
vi.resetModules()

// Nothing here is about time: what is waited for comes when it comes.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)

// What a file changed of the thread ends with the file.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  // A file about a thread without pages has no document.
  if (typeof document === 'undefined') return
  localStorage.clear()
  sessionStorage.clear()
  document.head.replaceChildren()
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
})
