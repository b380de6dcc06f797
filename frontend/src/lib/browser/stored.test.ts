import { afterEach, expect, it, vi } from 'vitest'
import { readJson, readStored, storedValue, writeStored } from './stored'

const words = () =>
  storedValue<readonly string[]>('words', (text) => {
    const value = readJson(text)
    return Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : []
  })

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

it('notifies subscribers and keeps stable values', () => {
  const store = words()
  const listener = vi.fn()
  const stop = store.subscribe(listener)
  store.set(['a'])
  expect(listener).toHaveBeenCalledOnce()
  expect(store.get()).toEqual(['a'])
  expect(store.get()).toBe(store.get())
  stop()
  store.set(['b'])
  expect(listener).toHaveBeenCalledOnce()
})

it.each(['{', '7', '[1,null]', ''])('reads malformed stored text as empty: %s', (text) => {
  localStorage.setItem('words', text)
  expect(words().get()).toEqual([])
})

it('follows changes of another tab', () => {
  const store = words()
  const listener = vi.fn()
  store.subscribe(listener)
  localStorage.setItem('words', '["b"]')
  window.dispatchEvent(new StorageEvent('storage', { key: 'words' }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'else' }))
  expect(listener).toHaveBeenCalledOnce()
  expect(store.get()).toEqual(['b'])
})

it('keeps values in memory without storage', () => {
  const refuse = (): never => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
  const store = words()
  store.set(['kept'])
  expect(store.get()).toEqual(['kept'])
  expect(readStored('nothing')).toBeNull()
  vi.restoreAllMocks()
  writeStored('words', null)
  expect(store.get()).toEqual([])
})
