/** Tabs with the arrow keys. Weighs enough to be imported from lazily loaded components only. */
import * as Radix from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

interface TabsProps<Name extends string> {
  label: string
  value: Name
  onValueChange: (name: Name) => void
  tabs: readonly { name: Name; label: ReactNode; panel: ReactNode }[]
}

export function Tabs<Name extends string>({ label, value, onValueChange, tabs }: TabsProps<Name>) {
  return (
    <Radix.Root value={value} onValueChange={(name) => onValueChange(name as Name)}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.name} value={tab.name} className={styles.tab}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.name} value={tab.name} className={styles.panel}>
          {tab.panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
