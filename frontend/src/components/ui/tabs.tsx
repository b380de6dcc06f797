/** Tabs with the arrow keys. Weighs enough to be imported from lazily loaded components only. */
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

interface TabsProps<Name extends string> {
  label: string
  value: Name
  onValueChange: (name: Name) => void
  tabs: readonly { name: Name; label: ReactNode; panel: ReactNode }[]
}

/** Parts of one page, of which one shows. */
export function Tabs<Name extends string>({ label, value, onValueChange, tabs }: TabsProps<Name>) {
  return (
    <Base.Root value={value} onValueChange={(name: Name) => onValueChange(name)}>
      <Base.List className={styles.list} aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.name} value={tab.name} className={styles.tab}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.name} value={tab.name} className={styles.panel}>
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
