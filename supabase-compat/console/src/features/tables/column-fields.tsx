/** The fields of a column's form. */
import { Autocomplete, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { namesQuery } from '@/postgres/relations'
import { COLUMN_TYPES, type ColumnDraft } from './definition'

interface Props {
  draft: ColumnDraft
  isNew: boolean
  onChange: (draft: ColumnDraft) => void
}

const ON_DELETE = ['no action', 'cascade', 'set null', 'restrict']

export function ColumnFields({ draft, isNew, onChange }: Props) {
  const { t } = useTranslation('tables')
  const set = (change: Partial<ColumnDraft>): void => onChange({ ...draft, ...change })
  return (
    <Stack gap="sm">
      <Group grow align="flex-start">
        <TextInput
          label={t('column.name')}
          value={draft.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          spellCheck={false}
        />
        <Autocomplete
          label={t('column.type')}
          data={COLUMN_TYPES}
          value={draft.type}
          onChange={(type) => set({ type })}
          comboboxProps={{ withinPortal: false }}
        />
      </Group>
      <TextInput
        label={t('column.default')}
        description={t('column.expression')}
        value={draft.defaultValue}
        disabled={draft.isIdentity}
        onChange={(event) => set({ defaultValue: event.currentTarget.value })}
        spellCheck={false}
      />
      <Group gap="md">
        <Checkbox
          label={t('column.nullable')}
          checked={draft.isNullable && !draft.isPrimaryKey}
          disabled={draft.isPrimaryKey}
          onChange={(event) => set({ isNullable: event.currentTarget.checked })}
        />
        {isNew ? (
          <>
            <Checkbox
              label={t('column.unique')}
              checked={draft.isUnique}
              onChange={(event) => set({ isUnique: event.currentTarget.checked })}
            />
            <Checkbox
              label={t('column.identity')}
              checked={draft.isIdentity}
              onChange={(event) => set({ isIdentity: event.currentTarget.checked })}
            />
          </>
        ) : null}
      </Group>
      {isNew ? (
        <>
          <ReferenceFields draft={draft} set={set} />
          <TextInput
            label={t('column.check')}
            description={t('column.expression')}
            value={draft.check}
            onChange={(event) => set({ check: event.currentTarget.value })}
            spellCheck={false}
          />
        </>
      ) : null}
      <TextInput
        label={t('column.comment')}
        value={draft.comment}
        onChange={(event) => set({ comment: event.currentTarget.value })}
      />
    </Stack>
  )
}

function ReferenceFields({ draft, set }: { draft: ColumnDraft; set: (change: Partial<ColumnDraft>) => void }) {
  const { t } = useTranslation('tables')
  const names = useQuery(namesQuery)
  const relations = names.data ?? []
  const { reference } = draft
  const target = relations.find(({ schema, name }) => schema === reference?.schema && name === reference.table)
  return (
    <Group grow align="flex-start">
      <Select
        label={t('column.reference')}
        placeholder={t('column.noReference')}
        data={relations.map(({ schema, name }) => ({
          value: JSON.stringify([schema, name]),
          label: `${schema}.${name}`,
        }))}
        value={reference ? JSON.stringify([reference.schema, reference.table]) : null}
        searchable
        clearable
        limit={100}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => {
          if (!value) return set({ reference: null })
          const [schema, table] = JSON.parse(value) as [string, string]
          const columns = relations.find((one) => one.schema === schema && one.name === table)?.columns ?? []
          set({
            reference: {
              schema,
              table,
              column: columns.includes('id') ? 'id' : (columns[0] ?? ''),
              onDelete: 'no action',
            },
          })
        }}
      />
      {reference ? (
        <Select
          label={t('column.referenceColumn')}
          data={target?.columns ?? [reference.column]}
          value={reference.column}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(column) => set({ reference: { ...reference, column: column ?? '' } })}
        />
      ) : null}
      {reference ? (
        <Select
          label={t('column.onDelete')}
          data={ON_DELETE}
          value={reference.onDelete}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(onDelete) => set({ reference: { ...reference, onDelete: onDelete ?? 'no action' } })}
        />
      ) : null}
    </Group>
  )
}
