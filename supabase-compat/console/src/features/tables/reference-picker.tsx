/**
 * Rows of the table that a foreign key references, searchable by any of their first text columns.
 */
import { Loader, Paper, ScrollArea, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Constraint, Relation } from '@/postgres/catalog'
import { identifier, Parameters, qualified } from '@/postgres/quote'
import { relationQuery } from '@/postgres/relations'
import { runQuery } from '@/postgres/run-query'
import { ErrorState } from '@/ui/states'

const SHOWN_COLUMNS = 4

export function ReferencePicker({ reference, onPick }: { reference: Constraint; onPick: (value: string) => void }) {
  const { t } = useTranslation('tables')
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search.trim(), 250)
  const target = useQuery(relationQuery(reference.target_schema ?? '', reference.target_table ?? ''))
  const key = reference.target_columns?.[0] ?? ''
  const rows = useQuery({
    queryKey: ['rows', reference.target_schema, reference.target_table, 'reference', key, debounced],
    enabled: Boolean(target.data),
    queryFn: ({ signal }) => searchRows(target.data!, key, debounced, signal),
  })
  return (
    <Paper withBorder p="xs">
      <Stack gap={6}>
        <TextInput
          size="xs"
          placeholder={t('reference.search', { table: reference.target_table })}
          aria-label={t('reference.search', { table: reference.target_table })}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {rows.isError ? (
          <ErrorState error={rows.error} />
        ) : rows.isPending ? (
          <Loader size="xs" aria-label={t('reference.loading')} />
        ) : (
          <ScrollArea.Autosize mah={200}>
            {rows.data.map((row) => (
              <UnstyledButton key={row.value} display="block" w="100%" px={6} py={4} onClick={() => onPick(row.value)}>
                <Text size="xs" truncate>
                  <strong>{row.value}</strong> {row.rest.join(' · ')}
                </Text>
              </UnstyledButton>
            ))}
            {rows.data.length === 0 ? (
              <Text size="xs" c="dimmed">
                {t('list.nothing')}
              </Text>
            ) : null}
          </ScrollArea.Autosize>
        )}
      </Stack>
    </Paper>
  )
}

async function searchRows(relation: Relation, key: string, search: string, signal: AbortSignal) {
  const texts = relation.columns
    .filter(({ name, category }) => name !== key && (category === 'S' || category === 'E'))
    .slice(0, SHOWN_COLUMNS)
  const parameters = new Parameters()
  const searched = [key, ...texts.map(({ name }) => name)]
  const pattern = search ? parameters.add(`%${search.replaceAll(/[\\%_]/g, (one) => `\\${one}`)}%`, 'text') : ''
  const where = search
    ? `where ${searched.map((name) => `${identifier(name)}::text ilike ${pattern}`).join(' or ')}`
    : ''
  const list = searched.map((name, place) => `left(${identifier(name)}::text, 100) as c${place}`).join(', ')
  // Sorted by key without a search; sorting search results would read all of a large table.
  const order = search ? '' : `order by ${identifier(key)}`
  const query = `select ${list} from ${qualified(relation.schema, relation.name)} ${where} ${order} limit 30`
  const { rows } = await runQuery({ query, parameters: parameters.values, signal, timeout: 10_000 })
  return rows.map(([value, ...rest]) => ({
    value: String(value),
    rest: rest.filter((text) => text !== null).map(String),
  }))
}
