/**
 * The tabs of the editor and the history, stored in this browser so that a reload loses nothing.
 */

export interface Tab {
  id: string
  name: string
  text: string
  /** The snippet from which it was opened or as which it was saved. */
  snippet?: string
}

export interface HistoryEntry {
  at: string
  text: string
  milliseconds: number
  /** The number of rows, or null if the statement failed. */
  rows: number | null
}

const TABS = 'console-sql-tabs'
const HISTORY = 'console-sql-history'
const MAX_HISTORY = 200
/** Longer statements are stored in their tab only. */
const MAX_HISTORY_LENGTH = 20_000

export function loadTabs(): Tab[] {
  const tabs = read(TABS)
  const valid = Array.isArray(tabs) ? tabs.filter(isTab) : []
  return valid.length > 0 ? valid : [newTab([])]
}

/** Returns whether the tabs were stored; a browser stores a few megabytes at most. */
export function saveTabs(tabs: readonly Tab[]): boolean {
  return write(TABS, tabs)
}

export function newTab(existingTabs: readonly Tab[], text = '', name?: string): Tab {
  const numbers = existingTabs.map((tab) => Number(/^\D*(\d+)$/.exec(tab.name)?.[1] ?? 0))
  return { id: crypto.randomUUID().slice(0, 8), name: name ?? `SQL ${Math.max(0, ...numbers) + 1}`, text }
}

export function loadHistory(): HistoryEntry[] {
  const entries = read(HISTORY)
  return Array.isArray(entries) ? entries.filter(isHistoryEntry) : []
}

/** The same statement again replaces the last entry. */
export function addHistory(entries: readonly HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  if (entry.text.length > MAX_HISTORY_LENGTH) return [...entries]
  const others = entries[0]?.text === entry.text ? entries.slice(1) : entries
  return [entry, ...others].slice(0, MAX_HISTORY)
}

export function saveHistory(entries: readonly HistoryEntry[]): boolean {
  return write(HISTORY, entries)
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

function isTab(value: unknown): value is Tab {
  const tab = value as Partial<Tab> | null
  return typeof tab?.id === 'string' && typeof tab.name === 'string' && typeof tab.text === 'string'
}

function isHistoryEntry(value: unknown): value is HistoryEntry {
  const entry = value as Partial<HistoryEntry> | null
  return typeof entry?.text === 'string' && typeof entry.at === 'string'
}
