/** The form for a new row, with a field for each column; untouched columns get their default. */
import { Alert, Button, Drawer, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column, Relation } from '@/postgres/catalog'
import { databaseRefusalOf, refusalText, runQuery } from '@/postgres/run-query'
import { hasOwnValue, problemOf } from './cell'
import { insertStatement, type NewValue } from './changes'
import { rowKeys } from './rows'
import { storedText, ValueField } from './value-field'

/** With more fields, they are found by name. */
const MAX_FIELDS = 60

export function RowForm({ relation, onClose }: { relation: Relation; onClose: () => void }) {
  const { t } = useTranslation('tables')
  const client = useQueryClient()
  const [values, setValues] = useState<ReadonlyMap<string, string | null>>(new Map())
  const [search, setSearch] = useState('')
  const [isSent, setIsSent] = useState(false)
  const columns = relation.columns.filter(({ generated }) => !generated)
  const required = columns.filter((column) => !hasOwnValue(column))
  const matching = columns.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
  // Required fields come first if not all can be shown.
  const visible = columns.length <= MAX_FIELDS ? columns : [...new Set([...required, ...matching])].slice(0, MAX_FIELDS)
  const problems = new Map(columns.map((column) => [column.name, problemIn(column, values)] as const))
  const insert = useMutation({
    meta: { isQuiet: true },
    mutationFn: () => {
      const entries = [...values].map(([name, text]): [string, NewValue] => {
        const column = columns.find((one) => one.name === name)!
        return [name, { text: storedText(column, text) }]
      })
      return runQuery({ ...insertStatement(relation, new Map(entries)), isReadOnly: false })
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: rowKeys.table(relation) })
      notifications.show({ closeButtonProps: { 'aria-label': t('close') }, message: t('insert.done') })
      onClose()
    },
  })
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    setIsSent(true)
    if ([...problems.values()].every((problem) => problem === undefined)) insert.mutate()
  }
  const change = (column: Column, text: string | null): void => {
    const next = new Map(values)
    // Emptying the field of a column with a default makes it untouched.
    if (text === '' && hasOwnValue(column)) next.delete(column.name)
    else next.set(column.name, text)
    setValues(next)
  }
  const refusedColumn = insert.isError ? columnOf(insert.error, columns) : undefined
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="md"
      title={t('insert.title', { name: relation.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {columns.length > MAX_FIELDS ? (
            <TextInput
              size="xs"
              label={t('insert.search', { count: columns.length })}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          ) : null}
          {visible.map((column) => {
            const problem = isSent ? problems.get(column.name) : undefined
            const refusal = refusedColumn === column.name && insert.isError ? refusalText(insert.error) : undefined
            return (
              <ValueField
                key={column.name}
                relation={relation}
                column={column}
                label={column.name}
                description={column.type}
                text={values.get(column.name) ?? null}
                placeholder={placeholderOf(column)}
                error={problem ? t(`problem.${problem}`) : refusal}
                onChange={(text) => change(column, text)}
              />
            )
          })}
          {insert.isError && !refusedColumn ? <Alert color="red">{refusalText(insert.error)}</Alert> : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={insert.isPending}>
              {t('rows.insert')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  )
}

function problemIn(column: Column, values: ReadonlyMap<string, string | null>) {
  if (values.has(column.name)) return problemOf(column, storedText(column, values.get(column.name) ?? null))
  return hasOwnValue(column) ? undefined : 'required'
}

function placeholderOf(column: Column): string | undefined {
  if (column.identity) return 'identity'
  if (column.default !== null) return column.default
  return column.nullable ? 'NULL' : undefined
}

/** The column of a refusal: PostgreSQL names it in quotes, or as `Key (name)=`. */
function columnOf(error: Error, columns: readonly Column[]): string | undefined {
  const text = `${error.message} ${databaseRefusalOf(error)?.detail ?? ''}`
  return columns.find(({ name }) => text.includes(`column "${name}"`) || text.includes(`Key (${name})=`))?.name
}
