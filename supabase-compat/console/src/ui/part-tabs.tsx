/** Parts of a screen, each with an address of its own, so that a link finds it and going back works. */
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'

interface Props<T extends string> {
  /** Of the screen, without its part. */
  address: string
  parts: readonly T[]
  value: T
  labelOf: (part: T) => string
  children: ReactNode
}

export function PartTabs<T extends string>({ address, parts, value, labelOf, children }: Props<T>) {
  const navigate = useNavigate()
  return (
    <Tabs
      value={value}
      onChange={(part) => void navigate(part === parts[0] ? address : `${address}/${part}`)}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {parts.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {labelOf(part)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={value}>{children}</Tabs.Panel>
    </Tabs>
  )
}
