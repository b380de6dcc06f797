/** A dialog with a form whose statement is shown before it runs. */
import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  title: string
  /** The statement is shown: the form stays mounted behind it, so that its input is there again. */
  isCovered: boolean
  onClose: () => void
  onSubmit: FormEventHandler<HTMLFormElement>
  children: ReactNode
}

export function StatementDialog({ title, isCovered, onClose, onSubmit, children }: Props) {
  const { t } = useTranslation('integrations')
  return (
    <Modal opened={!isCovered} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="sm">
          {children}
          <Group justify="flex-end">
            <Button type="submit">{t('showSql')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
