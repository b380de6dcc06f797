import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './section.module.css'

/** A section of a screen on a surface of its own. */
export function Section({
  title,
  description,
  actions,
  isFlush,
  children,
}: {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** The content has no padding. */
  isFlush?: boolean
  children: ReactNode
}) {
  return (
    <section className={classes.section} aria-label={title}>
      <Group justify="space-between" className={classes.heading} gap="sm">
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          {description ? (
            <Text size="sm" c="dimmed" maw="70ch">
              {description}
            </Text>
          ) : null}
        </div>
        {actions}
      </Group>
      <div className={isFlush ? classes.flush : classes.content}>{children}</div>
    </section>
  )
}
