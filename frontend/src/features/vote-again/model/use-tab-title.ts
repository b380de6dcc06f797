import { useEffect, useState } from 'react'
import type { VoteTarget } from '@/entities/vote/dialog'

/**
 * While nobody looks at the page, its title says which of the servers has become ready since it was opened. Undefined
 * as long as they are not known.
 */
export function useTabTitle(ready: readonly VoteTarget[] | undefined, wordsFor: (server: VoteTarget) => string): void {
  const [known, setKnown] = useState<readonly string[] | null>(null)
  // Those that were ready at first are no news.
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
