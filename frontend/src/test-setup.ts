import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

declare global {
  var NodeChannel: typeof BroadcastChannel | undefined
}

// Files share a thread, its document and the packages; our own modules are loaded anew for each
// file, with their state.
vi.resetModules()

// The session's client tells other tabs what it does, and Node's channels reach every thread: without
// a name of its own, a file would sign in and out the files beside it.
const NodeChannel = (globalThis.NodeChannel ??= globalThis.BroadcastChannel)
const channels: BroadcastChannel[] = []
const file = crypto.randomUUID()
globalThis.BroadcastChannel = class extends NodeChannel {
  constructor(name: string) {
    super(`${file} ${name}`)
    channels.push(this)
  }
}

// No test depends on time, so waits are long.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)

// Reverts what a file changed in the thread.
afterAll(() => {
  channels.forEach((channel) => channel.close())
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
