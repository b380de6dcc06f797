import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The attributes of the document in a browser with this connection. */
async function marksWith(connection: object | undefined, stillness = false) {
  const root = document.createElement('html')
  vi.stubGlobal('matchMedia', () => ({ matches: stillness, addEventListener: () => {} }))
  vi.stubGlobal('navigator', { connection })
  const { followMotionPreferences } = await import('./motion-preferences')
  followMotionPreferences(root)
  return root.dataset
}

it('marks the page with the connection quality', async () => {
  expect({ ...(await marksWith(undefined)) }).toEqual({ connection: 'medium' })
  expect({ ...(await marksWith({ effectiveType: '4g' })) }).toEqual({ connection: 'fast' })
})

it('reduces motion by preference or on slow connections', async () => {
  expect({ ...(await marksWith({ effectiveType: '2g' })) }).toEqual({ connection: 'slow', motion: 'reduced' })
  vi.resetModules()
  expect({ ...(await marksWith({ effectiveType: '4g' }, true)) }).toEqual({ connection: 'fast', motion: 'reduced' })
})

it('follows a connection that changes', async () => {
  const connection = Object.assign(new EventTarget(), { effectiveType: '2g' })
  const marks = await marksWith(connection)
  connection.effectiveType = '4g'
  connection.dispatchEvent(new Event('change'))
  expect({ ...marks }).toEqual({ connection: 'fast' })
})
