import { Suspense, useState, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-button'
import { PageHeader } from '@/components/ui/page-header'
import { useTranslation } from '@/lib/i18n/i18n'
import { DataTable } from './data-table'
import type { RowAction } from './row-menu'
import type { DataTableProps } from './types'

interface EntityPageProps<Row extends object> extends Omit<DataTableProps<Row>, 'label' | 'actions'> {
  title: string
  description: string
  /** The label of the button that adds a row. */
  add: string
  /** The dialog that creates (without a row) or changes a row. */
  dialog: (row: Row | null, close: () => void) => ReactNode
  /** Which rows can be changed; by default all. */
  canEdit?: (row: Row) => boolean
  /** The confirmation before a row is deleted, usually a `DeleteDialog`. */
  deletion: (row: Row, close: () => void) => ReactNode
  /** Further actions on a row. */
  actions?: (row: Row) => readonly RowAction[]
}

type OpenDialog<Row> = { kind: 'add' } | { kind: 'edit' | 'delete'; row: Row } | null

/** A page that lists, adds, changes and deletes rows. */
export function EntityPage<Row extends object>({
  title,
  description,
  add,
  dialog,
  canEdit,
  deletion,
  actions,
  ...table
}: EntityPageProps<Row>) {
  const { t } = useTranslation('table')
  const [open, setOpen] = useState<OpenDialog<Row>>(null)
  const close = () => setOpen(null)
  const edit = (row: Row): RowAction => ({
    label: t('edit'),
    icon: 'edit',
    onSelect: () => setOpen({ kind: 'edit', row }),
  })
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <Button variant="primary" icon="plus" aria-haspopup="dialog" onClick={() => setOpen({ kind: 'add' })}>
            {add}
          </Button>
        }
      />
      <DataTable
        {...table}
        label={title}
        actions={(row) => [
          ...(canEdit?.(row) === false ? [] : [edit(row)]),
          ...(actions?.(row) ?? []),
          { label: t('delete'), icon: 'trash', tone: 'danger', onSelect: () => setOpen({ kind: 'delete', row }) },
        ]}
      />
      <Suspense>
        {open?.kind === 'add' && dialog(null, close)}
        {open?.kind === 'edit' && dialog(open.row, close)}
        {open?.kind === 'delete' && deletion(open.row, close)}
      </Suspense>
    </>
  )
}

interface DeleteDialogProps {
  title: string
  text: string
  onDelete: () => Promise<unknown>
  onClose: () => void
}

/** Asks for confirmation before a deletion. */
export function DeleteDialog({ title, text, onDelete, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('table')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      text={text}
      confirm={t('delete')}
      onConfirm={onDelete}
    />
  )
}
