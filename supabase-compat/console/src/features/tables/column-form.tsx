/** The form for a new or changed column. */
import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column, Relation } from '@/postgres/catalog'
import { ColumnFields } from './column-fields'
import { addColumnSql, alterColumnSql, columnDraftOf, emptyColumn } from './definition'

interface Props {
  relation: Relation
  column: Column | undefined
  onClose: () => void
  onPrepare: (title: string, sql: string) => void
}

export function ColumnForm({ relation, column, onClose, onPrepare }: Props) {
  const { t } = useTranslation('tables')
  const [draft, setDraft] = useState(() => (column ? columnDraftOf(column) : emptyColumn()))
  const [problem, setProblem] = useState<string | null>(null)
  const title = column ? t('column.edit') : t('column.add')
  const submit = (): void => {
    if (draft.name.trim() === '' || draft.type.trim() === '') return setProblem(t('form.incomplete'))
    if (!column && relation.columns.some(({ name }) => name === draft.name))
      return setProblem(t('form.taken', { name: draft.name }))
    const sql = column ? alterColumnSql(relation, column, draft) : addColumnSql(relation, draft)
    if (sql === '') return setProblem(t('form.unchanged'))
    onPrepare(title, sql)
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          <ColumnFields draft={draft} isNew={column === undefined} onChange={setDraft} />
          {problem ? <Alert color="red">{problem}</Alert> : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit">{t('form.show')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
