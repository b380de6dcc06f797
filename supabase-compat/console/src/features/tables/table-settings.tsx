/** The name and the comment of a table. */
import { Alert, Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Relation } from '@/postgres/catalog'
import { renameTableSql } from './definition'

interface Props {
  relation: Relation
  onClose: () => void
  onPrepare: (title: string, sql: string, name: string) => void
}

export function TableSettings({ relation, onClose, onPrepare }: Props) {
  const { t } = useTranslation('tables')
  const [name, setName] = useState(relation.name)
  const [comment, setComment] = useState(relation.comment ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (): void => {
    const sql = renameTableSql(relation, name, comment)
    if (name.trim() === '') setProblem(t('form.incomplete'))
    else if (sql === '') setProblem(t('form.unchanged'))
    else onPrepare(t('structure.settings'), sql, name)
  }
  return (
    <Modal opened onClose={onClose} title={t('structure.settings')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={t('column.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            spellCheck={false}
          />
          <Textarea
            label={t('column.comment')}
            autosize
            minRows={2}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
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
