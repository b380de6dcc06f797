/** Parts of a screen, each with an address of its own, so that a link finds it and going back works. */
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import classes from './tabs.module.css'

interface Props<T extends string> {
  /** Of the screen, without its part. */
  address: string
  parts: readonly T[]
  value: T
  labelOf: (part: T) => string
  children: ReactNode
}

/** On a phone the chosen part may lie beyond the border. */
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
