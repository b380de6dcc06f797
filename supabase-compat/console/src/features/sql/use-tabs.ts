/** The tabs, stored in this browser. */
import { useEffect, useRef, useState } from 'react'
import { loadTabs, newTab, saveTabs, type Tab } from './tabs'

/** Milliseconds between the last key press and the storing of the text. */
const STORE_DELAY = 300

export interface Tabs {
  tabs: Tab[]
  /** Whether the browser could store the tabs. */
  isStored: boolean
  add: (text?: string, name?: string, snippet?: string) => Tab
  /** Closes a tab and returns the one to show next. */
  close: (id: string) => Tab
  change: (id: string, change: Partial<Tab>) => void
}

export function useTabs(): Tabs {
  const [tabs, setTabs] = useState(loadTabs)
  const [isStored, setIsStored] = useState(true)
  const latest = useRef(tabs)
  latest.current = tabs
  useEffect(() => {
    const timer = setTimeout(() => setIsStored(saveTabs(tabs)), STORE_DELAY)
    return () => clearTimeout(timer)
  }, [tabs])
  useEffect(() => {
    const store = (): void => void saveTabs(latest.current)
    addEventListener('pagehide', store)
    return () => {
      removeEventListener('pagehide', store)
      store()
    }
  }, [])
  return {
    tabs,
    isStored,
    add(text = '', name, snippet) {
      const tab = { ...newTab(tabs, text, name), ...(snippet === undefined ? {} : { snippet }) }
      setTabs((before) => [...before, tab])
      return tab
    },
    close(id) {
      const others = tabs.filter((tab) => tab.id !== id)
      const remaining = others.length > 0 ? others : [newTab([])]
      setTabs(remaining)
      return remaining[
        Math.min(
          tabs.findIndex((tab) => tab.id === id),
          remaining.length - 1,
        )
      ]!
    },
    change: (id, change) => setTabs((before) => before.map((tab) => (tab.id === id ? { ...tab, ...change } : tab))),
  }
}
