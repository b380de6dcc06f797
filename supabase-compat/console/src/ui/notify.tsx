/** Notifications at the edge of the window; one may have an undo button. */
import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import i18next from 'i18next'

const closeButton = () => ({ 'aria-label': i18next.t('shared:close') })

export function notify(message: string): void {
  notifications.show({ message, color: 'violet', closeButtonProps: closeButton() })
}

export function notifyWithUndo(message: string, onUndo: () => void): void {
  const id = notifications.show({
    color: 'violet',
    autoClose: 8000,
    closeButtonProps: closeButton(),
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id)
            onUndo()
          }}
        >
          {i18next.t('shared:undo')}
        </Button>
      </Group>
    ),
  })
}

export function notifyRefusal(title: string, message: string): void {
  notifications.show({ color: 'red', title, message, autoClose: 10_000, closeButtonProps: closeButton() })
}
