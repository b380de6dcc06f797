/**
 * Values in the browser's storage. Storage may be blocked or full; then a value lasts as long as
 * the page. Changes reach every tab. No other module uses the storages (held by the walls check).
 */
import type { Store } from './store'

type Area = 'local' | 'session'

/** Prefix of the keys under which unsent form input is kept. */
export const DRAFT_PREFIX = 'palmares.draft.'

/** Values that the storage did not accept; they last as long as the page. */
const unwritten = new Map<string, string | null>()

export function readStored(key: string, area: Area = 'local'): string | null {
  const unwrittenValue = unwritten.get(key)
  if (unwrittenValue !== undefined) return unwrittenValue
  try {
    return storage(area).getItem(key)
  } catch {
    return null
  }
}

/** Stores a text; null deletes the key. */
export function writeStored(key: string, text: string | null, area: Area = 'local'): void {
  try {
    if (text === null) storage(area).removeItem(key)
    else storage(area).setItem(key, text)
    unwritten.delete(key)
  } catch {
    unwritten.set(key, text)
  }
}

function storage(area: Area): Storage {
  return area === 'local' ? localStorage : sessionStorage
}

/**
 * A stored value that components can subscribe to. `parse` gets null if nothing is stored, and must
 * accept any text, because the user may have edited it. The same text gives the same value;
 * otherwise each render would look like a change.
 */
export function storedValue<Value>(
  key: string,
  parse: (text: string | null) => Value,
  write: (value: Value) => string | null = JSON.stringify,
): Store<Value> {
  const listeners = new Set<() => void>()
  let known: { text: string | null; value: Value } | undefined
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const onStorageEvent = (event: StorageEvent): void => {
    // An event without a key means that the whole storage was cleared.
    if (event.key === key || event.key === null) notify()
  }
  return {
    get() {
      const text = readStored(key)
      if (known === undefined || known.text !== text) known = { text, value: parse(text) }
      return known.value
    },
    set(next) {
      writeStored(key, write(next))
      notify()
    },
    subscribe(listener) {
      if (listeners.size === 0) window.addEventListener('storage', onStorageEvent)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) window.removeEventListener('storage', onStorageEvent)
      }
    },
  }
}

/** The value of a JSON text; null if the text is not JSON. For `parse`. */
export function readJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
