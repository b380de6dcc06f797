/** The rows of a table as a role or a user of the project sees them. */
import { ActionIcon, Alert, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Relation } from '@/postgres/catalog'
import { DataGrid } from '@/ui/data-grid'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { IconEyeOff } from '@tabler/icons-react'
import { isNumeric, shownText } from './cell'
import { FilterBar } from './filter-bar'
import { knownFilters } from './filters'
import { viewerQuery } from './rows'
import classes from './tables.module.css'
import { useTableAddress } from './use-table-address'
import { ViewerPicker } from './viewer-picker'

export function ViewerRows({ relation }: { relation: Relation }) {
  const { t } = useTranslation('tables')
  const [address, change] = useTableAddress()
  const offset = Math.max(0, Number(/^offset:(\d+)$/.exec(address.page ?? '')?.[1] ?? 0))
  const filters = knownFilters(address.filters, relation.columns)
  const page = useQuery(
    viewerQuery(relation, address.viewer, { filters, sort: address.sort, offset, size: address.size }),
  )
  const columns = useMemo(
    () =>
      relation.columns.map((column) => ({
        id: column.name,
        title: column.name,
        subtitle: column.type,
        width: isNumeric(column) ? 120 : 200,
        isNumeric: isNumeric(column),
      })),
    [relation],
  )
  const rows = page.data?.rows
  const textAt = useCallback(
    (row: number, column: number): string | null => {
      const value = rows?.[row]?.[relation.columns[column]!.name]
      if (value === null || value === undefined) return null
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    [rows, relation],
  )
  const renderCell = useCallback(
    (row: number, column: number) => {
      const text = textAt(row, column)
      return text === null ? <span className={classes.null}>NULL</span> : shownText(text).text
    },
    [textAt],
  )
  const goTo = (next: number): void => change({ page: next <= 0 ? null : `offset:${next}` })
  return (
    <>
      <Group gap="xs" justify="space-between">
        <FilterBar relation={relation} filters={filters} onChange={(next) => change({ filters: [...next] })} />
        <ViewerPicker relation={relation} />
      </Group>
      <Alert variant="light" py={6}>
        {t('viewer.notice')}
      </Alert>
      <div className={classes.grid}>
        {page.isPending ? (
          <SkeletonRows rows={10} height={30} />
        ) : page.isError ? (
          <ErrorState error={page.error} onRetry={() => void page.refetch()} />
        ) : page.data.rows.length === 0 ? (
          <EmptyState icon={IconEyeOff} title={t('viewer.nothing')} text={t('viewer.nothingText')} />
        ) : (
          <DataGrid
            label={t('rows.label', { name: relation.name })}
            columns={columns}
            rowCount={page.data.rows.length}
            firstNumber={offset + 1}
            isBusy={page.isPlaceholderData}
            renderCell={renderCell}
            cellText={(row, column) => textAt(row, column) ?? ''}
          />
        )}
      </div>
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed" role="status">
          {t('rows.shown', { count: rows?.length ?? 0 })}
        </Text>
        <Group gap={6}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('rows.previous')}
            disabled={offset === 0}
            onClick={() => goTo(offset - address.size)}
          >
            <IconChevronLeft size={15} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('rows.next')}
            disabled={!page.data?.hasNext}
            onClick={() => goTo(offset + address.size)}
          >
            <IconChevronRight size={15} />
          </ActionIcon>
        </Group>
      </Group>
    </>
  )
}
