/** The form for a new index. */
import { Alert, Button, Checkbox, Group, Modal, MultiSelect, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Relation } from '@/postgres/catalog'
import { createIndexSql, INDEX_METHODS, type IndexDraft } from './definition'

interface Props {
  relation: Relation
  onClose: () => void
  onPrepare: (title: string, sql: string, warning?: string) => void
}

/** Above this number of rows, blocked writes are noticeable while an index is built. */
const LARGE_TABLE = 100_000

export function IndexForm({ relation, onClose, onPrepare }: Props) {
  const { t } = useTranslation('tables')
  const [draft, setDraft] = useState<IndexDraft>({
    name: '',
    method: 'btree',
    columns: [],
    isUnique: false,
    predicate: '',
  })
  const [isSent, setIsSent] = useState(false)
  const set = (change: Partial<IndexDraft>): void => setDraft({ ...draft, ...change })
  const isIncomplete = draft.columns.length === 0
  const submit = (): void => {
    setIsSent(true)
    const warning = relation.estimated_rows > LARGE_TABLE ? t('index.locks') : undefined
    if (!isIncomplete) onPrepare(t('index.add'), createIndexSql(relation, draft), warning)
  }
  return (
    <Modal opened onClose={onClose} title={t('index.add')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          <MultiSelect
            label={t('structure.columns')}
            description={t('index.order')}
            data={relation.columns.map(({ name }) => name)}
            value={draft.columns}
            searchable
            limit={100}
            comboboxProps={{ withinPortal: false }}
            onChange={(columns) => set({ columns })}
          />
          <Group grow align="flex-start">
            <TextInput
              label={t('column.name')}
              placeholder={t('index.ownName')}
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              spellCheck={false}
            />
            <Select
              label={t('index.method')}
              data={INDEX_METHODS}
              value={draft.method}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(method) => set({ method: method ?? 'btree' })}
            />
          </Group>
          <TextInput
            label={t('index.predicate')}
            description={t('column.expression')}
            value={draft.predicate}
            onChange={(event) => set({ predicate: event.currentTarget.value })}
            spellCheck={false}
          />
          <Checkbox
            label={t('column.unique')}
            checked={draft.isUnique}
            onChange={(event) => set({ isUnique: event.currentTarget.checked })}
          />
          {isSent && isIncomplete ? <Alert color="red">{t('form.incomplete')}</Alert> : null}
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
