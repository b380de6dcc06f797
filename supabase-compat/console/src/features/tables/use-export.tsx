/** Writes all rows that match the filters to a CSV file, page by page. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import Papa from 'papaparse'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Relation } from '@/postgres/catalog'
import { saveText } from './download'
import { hasKeyset, type Cursor, type PageRequest } from './paging'
import { cursorBeside, fetchPage } from './rows'

/** Rows per request; fewer for many columns, since a response has a maximum size. */
function rowsPerRequest(relation: Relation): number {
  return Math.max(100, Math.min(5000, Math.floor(50_000 / relation.columns.length)))
}

/** The largest file, in characters, that a browser can be expected to hold. */
const LARGEST_FILE = 500_000_000

export function useExport(relation: Relation, request: PageRequest): { start: () => void } {
  const { t } = useTranslation('tables')
  const controller = useRef<AbortController | null>(null)
  const write = useMutation({
    meta: { isQuiet: true },
    mutationFn: async ({ id, signal }: { id: string; signal: AbortSignal }) => {
      const parts = [`${Papa.unparse([relation.columns.map(({ name }) => name)])}\r\n`]
      const size = rowsPerRequest(relation)
      let cursor: Cursor | undefined
      let length = 0
      for (let rows = 0; ;) {
        const page = await fetchPage(relation, { ...request, cursor, size, isWhole: true }, signal)
        const text = Papa.unparse(
          page.rows.map(({ cells }) => cells),
          { newline: '\r\n' },
        )
        if (page.rows.length > 0) parts.push(`${text}\r\n`)
        rows += page.rows.length
        length += text.length
        if (length > LARGEST_FILE) throw new Error(t('export.tooLarge', { count: rows }))
        if (!page.hasNext) return { id, rows, parts }
        cursor = hasKeyset(relation) ? cursorBeside(page, 'after') : { direction: 'offset', offset: rows }
        notifications.update({
          id,
          loading: true,
          autoClose: false,
          withCloseButton: false,
          title: t('export.running'),
          message: progress(rows),
        })
      }
    },
    onSuccess: ({ id, rows, parts }) => {
      saveText(`${relation.name}.csv`, 'text/csv', parts)
      notifications.update({
        id,
        loading: false,
        autoClose: 5000,
        title: t('export.done'),
        message: t('rows.shown', { count: rows }),
      })
    },
    onError: (error, { id, signal }) => {
      if (signal.aborted) notifications.hide(id)
      else
        notifications.update({
          id,
          color: 'red',
          loading: false,
          autoClose: 10_000,
          withCloseButton: true,
          title: t('export.refused'),
          message: error.message,
        })
    },
  })
  const progress = (rows: number) => (
    <Stack gap={6}>
      <Text size="sm">{t('rows.shown', { count: rows })}</Text>
      <Group>
        <Button size="compact-sm" variant="light" onClick={() => controller.current?.abort()}>
          {t('cancel')}
        </Button>
      </Group>
    </Stack>
  )
  const start = (): void => {
    controller.current?.abort()
    controller.current = new AbortController()
    const id = crypto.randomUUID()
    notifications.show({
      closeButtonProps: { 'aria-label': t('close') },
      id,
      loading: true,
      autoClose: false,
      withCloseButton: false,
      title: t('export.running'),
      message: progress(0),
    })
    write.mutate({ id, signal: controller.current.signal })
  }
  return { start }
}
