/**
 * Favorite servers: a list of ids in the browser's storage, one list per signed-in user,
 * synchronized between tabs. It is never sent to the server. Signed out there are none.
 */
import { useCallback, useMemo } from 'react'
import { useSession } from '@/lib/session/session'
import { createStore, useStore, type Store } from '@/lib/browser/store'
import { readJson, storedValue } from '@/lib/browser/stored'

type Ids = readonly string[]

const NOBODYS: Store<Ids> = createStore<Ids>([])
const lists = new Map<string, Store<Ids>>()

function listOf(userId: string | null): Store<Ids> {
  if (userId === null) return NOBODYS
  const known = lists.get(userId)
  if (known) return known
  const list = storedValue<Ids>(`palmares.favorites.${userId}`, (text) => {
    const value = readJson(text)
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : []
  })
  lists.set(userId, list)
  return list
}

export interface Favorites {
  ids: readonly string[]
  has: (serverId: string) => boolean
  /**
   * Adds or removes a server; returns whether it is a favorite afterwards. Throws when nobody is
   * signed in.
   */
  toggle: (serverId: string) => boolean
}

export function useFavorites(): Favorites {
  const { user } = useSession()
  const userId = user?.id ?? null
  const list = listOf(userId)
  const ids = useStore(list)
  const toggle = useCallback(
    (serverId: string) => {
      if (userId === null) throw new Error('User not authenticated')
      const before = list.get()
      const added = !before.includes(serverId)
      list.set(added ? [...before, serverId] : before.filter((id) => id !== serverId))
      return added
    },
    [userId, list],
  )
  return useMemo(() => ({ ids, has: (id: string) => ids.includes(id), toggle }), [ids, toggle])
}
