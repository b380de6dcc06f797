import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './frame.module.css'

/** The frame of pages without a session. */
export function LoginFrame({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <img src="/console/favicon.svg" alt="" width={40} height={40} />
        <div>
          <Title order={1} size="h3">
            {title}
          </Title>
          {text ? (
            <Text size="sm" c="dimmed" mt={4}>
              {text}
            </Text>
          ) : null}
        </div>
        {children}
      </div>
    </main>
  )
}
