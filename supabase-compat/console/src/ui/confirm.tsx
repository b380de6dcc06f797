/** Asks for confirmation before something that cannot be undone, and names the consequences. */
import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import i18next from 'i18next'

export function confirm({
  title,
  text,
  action,
  onConfirm,
}: {
  title: string
  text: string
  /** The verb of the button. */
  action: string
  onConfirm: () => void
}): void {
  modals.openConfirmModal({
    title,
    centered: true,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel: i18next.t('shared:cancel') },
    confirmProps: { color: 'red' },
    onConfirm,
  })
}
