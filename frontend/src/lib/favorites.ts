/**
 * Favourite servers: a list of ids in the browser's storage, one list per signed-in user, kept in
 * step between tabs. The server never hears of it. Signed out there are none.
 */
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useSession } from './session'

const NONE: readonly string[] = []
const parsed = new Map<string, { text: string; ids: readonly string[] }>()
const listeners = new Set<() => void>()

function keyOf(userId: string): string {
  return `palmares.favorites.${userId}`
}

function read(userId: string | null): readonly string[] {
  if (userId === null) return NONE
  const text = localStorage.getItem(keyOf(userId)) ?? '[]'
  const known = parsed.get(userId)
  // The same text must give the same list, or every render would look like a change.
  if (known?.text === text) return known.ids
  const ids = parseIds(text)
  parsed.set(userId, { text, ids })
  return ids
}

function parseIds(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : NONE
  } catch {
    return NONE
  }
}

function write(userId: string, ids: readonly string[]): void {
  localStorage.setItem(keyOf(userId), JSON.stringify(ids))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export interface Favorites {
  ids: readonly string[]
  has: (serverId: string) => boolean
  /** Adds or removes; tells whether it is a favourite afterwards. Throws when nobody is signed in. */
  toggle: (serverId: string) => boolean
}

export function useFavorites(): Favorites {
  const { user } = useSession()
  const userId = user?.id ?? null
  const ids = useSyncExternalStore(subscribe, () => read(userId))
  const toggle = useCallback(
    (serverId: string) => {
      if (userId === null) throw new Error('User not authenticated')
      const before = read(userId)
      const added = !before.includes(serverId)
      write(userId, added ? [...before, serverId] : before.filter((id) => id !== serverId))
      return added
    },
    [userId],
  )
  return useMemo(() => ({ ids, has: (id: string) => ids.includes(id), toggle }), [ids, toggle])
}
