/** The form for a new table with its columns. */
import {
  ActionIcon,
  Alert,
  Autocomplete,
  Button,
  Checkbox,
  Group,
  Modal,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { relationsQuery } from '@/postgres/relations'
import { SqlPreview, type PreparedSql } from '@/ui/sql-preview'
import { COLUMN_TYPES, createTableSql, emptyColumn, type ColumnDraft, type TableDraft } from './definition'

interface Props {
  schema: string
  onClose: () => void
  onDone: (created: { schema: string; name: string }) => void
}

export function TableForm({ schema, onClose, onDone }: Props) {
  const { t } = useTranslation('tables')
  const relations = useQuery(relationsQuery)
  const [draft, setDraft] = useState<TableDraft>({
    schema,
    name: '',
    comment: '',
    hasRowSecurity: true,
    columns: [
      emptyColumn('id', { type: 'bigint', isPrimaryKey: true, isIdentity: true }),
      emptyColumn('created_at', { type: 'timestamp with time zone', isNullable: false, defaultValue: 'now()' }),
    ],
  })
  const [problem, setProblem] = useState<string | null>(null)
  const [prepared, setPrepared] = useState<PreparedSql | null>(null)
  const set = (change: Partial<TableDraft>): void => setDraft({ ...draft, ...change })
  const setColumn = (place: number, change: Partial<ColumnDraft>): void =>
    set({ columns: draft.columns.with(place, { ...draft.columns[place]!, ...change }) })
  const submit = (): void => {
    const names = draft.columns.map(({ name }) => name.trim())
    if (draft.name.trim() === '' || names.includes('') || draft.columns.some(({ type }) => type.trim() === ''))
      setProblem(t('form.incomplete'))
    else if (new Set(names).size < names.length) setProblem(t('form.twice'))
    else if (relations.data?.some((one) => one.schema === draft.schema && one.name === draft.name))
      setProblem(t('form.taken', { name: draft.name }))
    else {
      setProblem(null)
      setPrepared({ title: t('newTable'), sql: createTableSql(draft) })
    }
  }
  const schemas = [...new Set([draft.schema, 'public', ...(relations.data ?? []).map((one) => one.schema)])].filter(
    Boolean,
  )
  return (
    <>
      <Modal
        opened={prepared === null}
        onClose={onClose}
        size="xl"
        title={t('newTable')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <Stack gap="sm">
            <Group grow align="flex-start">
              <Autocomplete
                label={t('form.schema')}
                data={schemas}
                value={draft.schema}
                comboboxProps={{ withinPortal: false }}
                onChange={(next) => set({ schema: next })}
              />
              <TextInput
                label={t('column.name')}
                value={draft.name}
                data-autofocus
                spellCheck={false}
                onChange={(event) => set({ name: event.currentTarget.value })}
              />
            </Group>
            <TextInput
              label={t('column.comment')}
              value={draft.comment}
              onChange={(event) => set({ comment: event.currentTarget.value })}
            />
            <Switch
              label={t('security.label')}
              description={t('security.explanation')}
              checked={draft.hasRowSecurity}
              onChange={(event) => set({ hasRowSecurity: event.currentTarget.checked })}
            />
            <Text fw={500} size="sm">
              {t('structure.columns')}
            </Text>
            {draft.columns.map((column, place) => (
              // Columns of a draft have no other name than their place.
              // oxlint-disable-next-line react/no-array-index-key
              <Group key={place} gap={8} align="center" wrap="wrap">
                <TextInput
                  size="xs"
                  w={150}
                  aria-label={t('column.name')}
                  placeholder={t('column.name')}
                  value={column.name}
                  spellCheck={false}
                  onChange={(event) => setColumn(place, { name: event.currentTarget.value })}
                />
                <Autocomplete
                  size="xs"
                  w={180}
                  aria-label={t('column.type')}
                  data={COLUMN_TYPES}
                  value={column.type}
                  onChange={(type) => setColumn(place, { type })}
                  comboboxProps={{ withinPortal: false }}
                />
                <TextInput
                  size="xs"
                  w={130}
                  aria-label={t('column.default')}
                  placeholder={column.isIdentity ? 'identity' : t('column.default')}
                  disabled={column.isIdentity}
                  value={column.defaultValue}
                  spellCheck={false}
                  onChange={(event) => setColumn(place, { defaultValue: event.currentTarget.value })}
                />
                <Checkbox
                  size="xs"
                  label={t('column.key')}
                  checked={column.isPrimaryKey}
                  onChange={(event) =>
                    setColumn(place, {
                      isPrimaryKey: event.currentTarget.checked,
                      ...(event.currentTarget.checked ? {} : { isIdentity: false }),
                    })
                  }
                />
                <Checkbox
                  size="xs"
                  label={t('column.nullable')}
                  checked={column.isNullable && !column.isPrimaryKey}
                  disabled={column.isPrimaryKey}
                  onChange={(event) => setColumn(place, { isNullable: event.currentTarget.checked })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('column.remove', { name: column.name })}
                  onClick={() => set({ columns: draft.columns.toSpliced(place, 1) })}
                >
                  <IconX size={15} />
                </ActionIcon>
              </Group>
            ))}
            <Group>
              <Button
                size="xs"
                variant="light"
                leftSection={<IconPlus size={14} />}
                onClick={() => set({ columns: [...draft.columns, emptyColumn()] })}
              >
                {t('column.add')}
              </Button>
            </Group>
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
      <SqlPreview
        prepared={prepared}
        onClose={() => setPrepared(null)}
        onDone={() => {
          onClose()
          onDone({ schema: draft.schema, name: draft.name })
        }}
      />
    </>
  )
}
