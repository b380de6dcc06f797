import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

// Files share a thread, its document and the packages; our own modules are loaded anew for each
// file, with their state.
vi.resetModules()

// No test depends on time, so waits are long.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)

// Reverts what a file changed in the thread.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  // A file that tests a worker has no document.
  if (typeof document === 'undefined') return
  localStorage.clear()
  sessionStorage.clear()
  document.head.replaceChildren()
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
})
