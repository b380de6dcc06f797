/** The form for a new queue of pgmq. */
import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { PreparedSql } from '@/ui/sql-preview'
import { StatementDialog } from './statement-dialog'
import { createQueueSql, isQueueName } from './statements'

interface Props {
  /** The statement is shown: the form stays mounted behind it, so that its input is there again. */
  isCovered: boolean
  onClose: () => void
  onPrepare: (prepared: PreparedSql) => void
}

export function QueueForm({ isCovered, onClose, onPrepare }: Props) {
  const { t } = useTranslation('integrations')
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (isQueueName(name) ? null : t('queues.wrongName')) },
  })
  return (
    <StatementDialog
      title={t('queues.new')}
      isCovered={isCovered}
      onClose={onClose}
      onSubmit={form.onSubmit(({ name }) => onPrepare({ title: t('queues.new'), sql: createQueueSql(name) }))}
    >
      <TextInput
        data-autofocus
        label={t('queues.newName')}
        description={t('queues.newNameHelp')}
        placeholder="mails"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('name')}
      />
    </StatementDialog>
  )
}
