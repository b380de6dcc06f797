/** Deletes rows after a confirmation, and restores them while the notification is shown. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Relation } from '@/postgres/catalog'
import { refusalText, runQuery } from '@/postgres/run-query'
import { cascadesOf, deleteStatement, restoreStatement } from './changes'
import type { PageRow } from './paging'
import { rowKeys } from './rows'

/** Milliseconds in which a deletion can be undone. */
const UNDO_TIME = 20_000

type StoredRow = (string | null)[]

export function useDeletion(relation: Relation): { confirmDeletion: (rows: PageRow[], done: () => void) => void } {
  const { t } = useTranslation('tables')
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: rowKeys.table(relation) })
  const refuse = (error: Error): void => {
    notifications.show({
      closeButtonProps: { 'aria-label': t('close') },
      color: 'red',
      title: t('delete.refused'),
      message: refusalText(error),
      autoClose: 10_000,
    })
  }
  const restore = useMutation({
    meta: { isQuiet: true },
    mutationFn: (rows: StoredRow[]) => runQuery({ ...restoreStatement(relation, rows), isReadOnly: false }),
    onSuccess: (_, rows) => {
      notifications.show({
        closeButtonProps: { 'aria-label': t('close') },
        message: t('delete.restored', { count: rows.length }),
      })
      void refresh()
    },
    onError: refuse,
  })
  const remove = useMutation({
    meta: { isQuiet: true },
    mutationFn: async (rows: PageRow[]): Promise<StoredRow[]> => {
      const response = await runQuery({ ...deleteStatement(relation, rows), isReadOnly: false, maxRows: rows.length })
      return response.rows.map(([row]) => (typeof row === 'string' ? JSON.parse(row) : row) as StoredRow)
    },
    onSuccess: (deleted, rows) => {
      void refresh()
      const id = crypto.randomUUID()
      notifications.show({
        closeButtonProps: { 'aria-label': t('close') },
        id,
        autoClose: UNDO_TIME,
        title: t('delete.done', { count: deleted.length }),
        message: (
          <Stack gap={6}>
            {deleted.length < rows.length ? (
              <Text size="sm">{t('delete.skipped', { count: rows.length - deleted.length })}</Text>
            ) : null}
            <Group>
              <Button
                size="compact-sm"
                variant="light"
                onClick={() => {
                  notifications.hide(id)
                  restore.mutate(deleted)
                }}
              >
                {t('delete.undo')}
              </Button>
            </Group>
          </Stack>
        ),
      })
    },
    onError: refuse,
  })
  const confirmDeletion = (rows: PageRow[], done: () => void): void => {
    const cascades = cascadesOf(relation)
    modals.openConfirmModal({
      title: t('rows.delete', { count: rows.length }),
      children: (
        <Text size="sm">
          {cascades.length > 0
            ? t('delete.cascades', { tables: cascades.join(', ') })
            : t('delete.question', { name: relation.name })}
        </Text>
      ),
      labels: { confirm: t('delete.confirm'), cancel: t('cancel') },
      confirmProps: { color: 'red' },
      onConfirm: () => remove.mutate(rows, { onSuccess: done }),
    })
  }
  return { confirmDeletion }
}
