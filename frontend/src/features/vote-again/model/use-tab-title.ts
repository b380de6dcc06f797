import { useEffect, useState } from 'react'
import type { VoteTarget } from '@/entities/vote/dialog'

/**
 * While the tab is hidden, its title names the server that has become ready since the page was
 * opened. Undefined while the servers are unknown.
 */
export function useTabTitle(ready: readonly VoteTarget[] | undefined, wordsFor: (server: VoteTarget) => string): void {
  const [known, setKnown] = useState<readonly string[] | null>(null)
  // Servers that were ready at first are not announced.
  if (known === null && ready) setKnown(ready.map(({ id }) => id))
  const fresh = known === null ? undefined : ready?.find(({ id }) => !known.includes(id))
  const news = fresh ? wordsFor(fresh) : null
  useEffect(() => {
    if (news === null || !document.hidden) return
    const before = document.title
    const restore = (): void => {
      if (document.title === news) document.title = before
      document.removeEventListener('visibilitychange', restore)
    }
    document.title = news
    document.addEventListener('visibilitychange', restore)
    return restore
  }, [news])
}
