import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './tabs.module.css'

interface TabsProps<Name extends string> {
  label: string
  value: Name
  onValueChange: (name: Name) => void
  /** Long names wrap where the tabs would not fit side by side. */
  breaks?: boolean
  /** `warm` prefetches a panel's code while its tab is hovered. */
  tabs: readonly { name: Name; label: ReactNode; panel: ReactNode; warm?: () => void }[]
}

/**
 * Tabs of one page; the arrow keys move the focus and open a tab. Written by hand, because the tabs
 * of the base library are larger than the page around them.
 */
export function Tabs<Name extends string>({ label, value, onValueChange, breaks, tabs }: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const here = tabs.findIndex(({ name }) => name === value)

  function moveFocus(event: KeyboardEvent): void {
    const next = stepFrom(here, tabs.length, event.key)
    const tab = tabs[next]
    if (tab === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
    onValueChange(tab.name)
  }

  return (
    <div className={styles.tabs}>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} data-breaks={breaks}>
        {tabs.map(({ name, label: text, warm }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            className={styles.tab}
            aria-selected={name === value}
            aria-controls={name === value ? `${id}-panel` : undefined}
            tabIndex={name === value ? 0 : -1}
            onClick={() => onValueChange(name)}
            onKeyDown={moveFocus}
            onPointerEnter={warm}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        key={value}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        tabIndex={0}
        className={styles.panel}
      >
        {tabs[here]?.panel}
      </div>
    </div>
  )
}

/** The index to which a key moves among `count` tabs, wrapping around; -1 for other keys. */
function stepFrom(here: number, count: number, key: string): number {
  switch (key) {
    case 'ArrowRight':
      return (here + 1) % count
    case 'ArrowLeft':
      return (here + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return -1
  }
}
