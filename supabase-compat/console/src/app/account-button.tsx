import { Avatar, Text } from '@mantine/core'
import { IconChevronUp } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from './session'
import classes from './shell.module.css'

/** The button with the account's name, which opens the menu of the account. */
export function AccountButton(props: ComponentProps<'button'>) {
  const { t } = useTranslation('shell')
  const { operator } = useSession()
  return (
    <button type="button" {...props} className={classes.account}>
      <Avatar size={28} radius="xl" color="violet" aria-hidden>
        {operator.email.slice(0, 1).toUpperCase()}
      </Avatar>
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" truncate lh={1.25}>
          {operator.email}
        </Text>
        <Text size="xs" c="dimmed" lh={1.25}>
          {t(`roles.${operator.role}`)}
        </Text>
      </div>
      <IconChevronUp size={15} aria-hidden />
    </button>
  )
}
