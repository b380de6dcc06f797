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
  /** What the button says that adds one. */
  add: string
  /** The window in which one is made (without a row) or changed. */
  dialog: (row: Row | null, close: () => void) => ReactNode
  /** Which can be changed; by default all. */
  canEdit?: (row: Row) => boolean
  /** The question before one is deleted, usually a `DeleteDialog`. */
  deletion: (row: Row, close: () => void) => ReactNode
  /** What else can be done with one. */
  actions?: (row: Row) => readonly RowAction[]
}

type OpenDialog<Row> = { kind: 'add' } | { kind: 'edit' | 'delete'; row: Row } | null

/** A page of things that are listed, added, changed and deleted. */
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

/** Asks once before a thing is deleted. */
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
