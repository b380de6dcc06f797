/** Shows a toast when somebody signs in or out. Renders nothing. */
import { useCallback } from 'react'
import { loadWithRetry } from '@/lib/browser/lazy'
import { useSession, useSessionEvents, type SessionEvent } from '@/lib/session/session'

const loadWords = () => import('./announce-session')

export function SessionToasts() {
  const { arrival } = useSession()
  useSessionEvents(
    useCallback(
      async (event: SessionEvent) => {
        const { announceSession } = await loadWithRetry(loadWords)
        await announceSession(event, arrival)
      },
      [arrival],
    ),
  )
  return null
}
