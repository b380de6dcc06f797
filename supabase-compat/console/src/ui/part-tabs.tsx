/** Sections of a screen, each with an address of its own, so that links and the history work. */
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import classes from './tabs.module.css'

interface Props<T extends string> {
  /** The address of the screen, without the section. */
  address: string
  parts: readonly T[]
  value: T
  labelOf: (part: T) => string
  children: ReactNode
}

/** On a phone the chosen tab may be out of view. */
const reveal = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: 'nearest', inline: 'center' })

export function PartTabs<T extends string>({ address, parts, value, labelOf, children }: Props<T>) {
  const navigate = useNavigate()
  return (
    <Tabs
      value={value}
      onChange={(part) => void navigate(part === parts[0] ? address : `${address}/${part}`)}
      keepMounted={false}
    >
      <Tabs.List mb="md" className={classes.list}>
        {parts.map((part) => (
          <Tabs.Tab key={part} value={part} ref={part === value ? reveal : null}>
            {labelOf(part)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={value}>{children}</Tabs.Panel>
    </Tabs>
  )
}
