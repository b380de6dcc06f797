/** The frame of a screen: its heading, actions and content; with `isFull` as high as the window. */
import { Box, Group, Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { useSession } from '@/app/session'
import classes from './screen.module.css'

interface Props {
  title: string
  description?: string
  /** Buttons at the right of the heading. */
  actions?: ReactNode
  /** The content takes the remaining height and scrolls. */
  isFull?: boolean
  children: ReactNode
}

export function ScreenFrame({ title, description, actions, isFull = false, children }: Props) {
  const { project } = useSession()
  useEffect(() => {
    document.title = `${title} · ${project.name}`
  }, [title, project.name])
  return (
    <Box className={classes.frame} data-full={isFull || undefined}>
      <Group justify="space-between" align="flex-start" gap="sm" className={classes.heading}>
        <div>
          <Title order={1} size="h3">
            {title}
          </Title>
          {description ? (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          ) : null}
        </div>
        {actions ? <Group gap="xs">{actions}</Group> : null}
      </Group>
      <div className={classes.content}>{children}</div>
    </Box>
  )
}
