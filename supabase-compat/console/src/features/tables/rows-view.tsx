/** The rows of a table, paginated, with filters, sorting and editing. */
import { ActionIcon, Button, Group, Menu, Select, Text, Tooltip } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconDots,
  IconDownload,
  IconPlus,
  IconRefresh,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { isEditable, type Relation } from '@/postgres/catalog'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { CellPopover, type OpenCell } from './cell-popover'
import { FilterBar } from './filter-bar'
import { knownFilters } from './filters'
import { cursorOf, cursorToText, hasKeyset, identityOf, type Cursor, type PageRequest } from './paging'
import { countQuery, cursorBeside, pageQuery } from './rows'
import { RowsGrid } from './rows-grid'
import classes from './tables.module.css'
import { useDeletion } from './use-deletion'
import { useExport } from './use-export'
import { PAGE_SIZES, useTableAddress } from './use-table-address'
import { ViewerPicker } from './viewer-picker'

const RowForm = lazy(() => import('./row-form').then((module) => ({ default: module.RowForm })))
const ImportDialog = lazy(() => import('./import-dialog').then((module) => ({ default: module.ImportDialog })))

/** Rows without a key are read backwards by sorting all rows before; too many of a large table. */
const MAX_BACKWARD_ROWS = 100_000

export function RowsView({ relation }: { relation: Relation }) {
  const { t } = useTranslation('tables')
  const [address, change] = useTableAddress()
  const mayChange = useMayChange() && isEditable(relation)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [open, setOpen] = useState<OpenCell | null>(null)
  const [dialog, setDialog] = useState<'insert' | 'import' | null>(null)

  const request = useMemo((): PageRequest => {
    const sort = address.sort.filter(({ column }) =>
      relation.columns.some(({ name, sortable }) => name === column && sortable),
    )
    const filters = knownFilters(address.filters, relation.columns)
    return { filters, sort, cursor: cursorOf(address.page, relation, sort), size: address.size }
  }, [address, relation])
  const page = useQuery(pageQuery(relation, request))
  const deletion = useDeletion(relation)
  const exporting = useExport(relation, request)
  const goTo = (cursor: Cursor | undefined): void => {
    setSelected(new Set())
    change({ page: cursor ? cursorToText(cursor) : null })
  }
  const rows = page.data?.rows ?? []
  const deleteSelected = (): void => {
    const selectedRows = rows.filter((_, index) => selected.has(index))
    deletion.confirmDeletion(selectedRows, () => setSelected(new Set()))
  }

  return (
    <>
      <Group gap="xs" justify="space-between" align="flex-start">
        <FilterBar
          relation={relation}
          filters={request.filters}
          onChange={(filters) => {
            setSelected(new Set())
            change({ filters: [...filters] })
          }}
        />
        <Group gap="xs">
          {selected.size > 0 && mayChange ? (
            <Button
              size="xs"
              color="red"
              variant="light"
              leftSection={<IconTrash size={14} />}
              onClick={deleteSelected}
            >
              {t('rows.delete', { count: selected.size })}
            </Button>
          ) : null}
          <ViewerPicker relation={relation} />
          <Tooltip label={t('rows.refresh')} withArrow>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t('rows.refresh')}
              loading={page.isFetching && !page.isPending}
              onClick={() => void page.refetch()}
            >
              <IconRefresh size={15} />
            </ActionIcon>
          </Tooltip>
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={t('rows.more')}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconDownload size={15} />} onClick={exporting.start}>
                {t('export.start')}
              </Menu.Item>
              {mayChange ? (
                <Menu.Item leftSection={<IconUpload size={15} />} onClick={() => setDialog('import')}>
                  {t('import.start')}
                </Menu.Item>
              ) : null}
            </Menu.Dropdown>
          </Menu>
          {mayChange ? (
            <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setDialog('insert')}>
              {t('rows.insert')}
            </Button>
          ) : null}
        </Group>
      </Group>
      <div className={classes.grid}>
        {page.isPending ? (
          <SkeletonRows rows={14} height={30} />
        ) : page.isError ? (
          <ErrorState error={page.error} onRetry={() => void page.refetch()} />
        ) : (
          <RowsGrid
            relation={relation}
            rows={rows}
            isBusy={page.isPlaceholderData}
            sort={request.sort}
            onSort={(sort) => {
              setSelected(new Set())
              change({ sort })
            }}
            selection={mayChange ? { rows: selected, onChange: setSelected } : undefined}
            onOpen={setOpen}
          />
        )}
      </div>
      <Pager
        relation={relation}
        request={request}
        rowCount={rows.length}
        hasNext={page.data?.hasNext ?? false}
        hasPrevious={page.data?.hasPrevious ?? false}
        onFirst={() => goTo(undefined)}
        onNext={() =>
          page.data && goTo(hasKeyset(relation) ? cursorBeside(page.data, 'after') : offsetBeside(request, 1))
        }
        onPrevious={() =>
          page.data && goTo(hasKeyset(relation) ? cursorBeside(page.data, 'before') : offsetBeside(request, -1))
        }
      />
      {open ? (
        <CellPopover
          key={`${open.row.identity.join()}-${open.column.name}`}
          relation={relation}
          open={open}
          mayChange={mayChange}
          onClose={() => setOpen(null)}
        />
      ) : null}
      <Suspense>
        {dialog === 'insert' ? <RowForm relation={relation} onClose={() => setDialog(null)} /> : null}
        {dialog === 'import' ? <ImportDialog relation={relation} onClose={() => setDialog(null)} /> : null}
      </Suspense>
    </>
  )
}

interface PagerProps {
  relation: Relation
  request: PageRequest
  rowCount: number
  hasNext: boolean
  hasPrevious: boolean
  onFirst: () => void
  onNext: () => void
  onPrevious: () => void
}

function Pager({ relation, request, rowCount, hasNext, hasPrevious, onFirst, onNext, onPrevious }: PagerProps) {
  const { t } = useTranslation('tables')
  const { number } = useFormats()
  const [address, change] = useTableAddress()
  const count = useQuery(countQuery(relation, request.filters))
  const goesBack = identityOf(relation) !== 'place' || relation.estimated_rows < MAX_BACKWARD_ROWS
  const step = (label: string, icon: typeof IconChevronLeft, isOn: boolean, onClick: () => void) => {
    const Picture = icon
    return (
      <Tooltip label={label} withArrow>
        <ActionIcon variant="default" size={30} aria-label={label} disabled={!isOn} onClick={onClick}>
          <Picture size={15} />
        </ActionIcon>
      </Tooltip>
    )
  }
  return (
    <Group gap="xs" justify="space-between">
      <Text size="xs" c="dimmed" className="figures" role="status">
        {t('rows.shown', { count: rowCount })}
        {count.data
          ? ` · ${t(count.data.isEstimate ? 'rows.about' : 'rows.exactly', { count: Math.round(count.data.count), number: number(Math.round(count.data.count)) })}`
          : null}
      </Text>
      <Group gap={6}>
        <Select
          size="xs"
          w={76}
          aria-label={t('rows.size')}
          data={PAGE_SIZES.map(String)}
          value={String(address.size)}
          allowDeselect={false}
          onChange={(size) => change({ size: Number(size) })}
        />
        {step(t('rows.first'), IconChevronsLeft, request.cursor !== undefined, onFirst)}
        {step(t('rows.previous'), IconChevronLeft, hasPrevious && goesBack, onPrevious)}
        {step(t('rows.next'), IconChevronRight, hasNext, onNext)}
      </Group>
    </Group>
  )
}

function offsetBeside(request: PageRequest, pages: number): Cursor | undefined {
  const offset = request.cursor?.direction === 'offset' ? request.cursor.offset : 0
  const next = Math.max(0, offset + pages * request.size)
  return next === 0 ? undefined : { direction: 'offset', offset: next }
}
