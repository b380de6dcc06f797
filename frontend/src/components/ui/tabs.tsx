import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './tabs.module.css'

interface TabsProps<Name extends string> {
  label: string
  value: Name
  onValueChange: (name: Name) => void
  /** A few long names break into lines where the tabs would not fit side by side. */
  breaks?: boolean
  /** `warm` fetches a panel's code while its tab is pointed at. */
  tabs: readonly { name: Name; label: ReactNode; panel: ReactNode; warm?: () => void }[]
}

/**
 * Parts of one page, of which one shows; the arrow keys walk them, and what is walked to opens. By hand and not on the
 * base, whose tabs weigh more than the page around them.
 */
export function Tabs<Name extends string>({ label, value, onValueChange, breaks, tabs }: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const here = tabs.findIndex(({ name }) => name === value)

  function walk(event: KeyboardEvent): void {
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
        {tabs.map(({ name, label: said, warm }) => (
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
            onKeyDown={walk}
            onPointerEnter={warm}
          >
            {said}
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

/** Where a key leads in a ring of so many; -1 for keys of others. */
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
