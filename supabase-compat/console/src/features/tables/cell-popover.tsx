/**
 * The editor of one cell, placed over the cell. Warns if somebody else has changed the row
 * meanwhile.
 */
import { Alert, Button, Code, Group, Loader, Popover, ScrollArea, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import type { Column, Relation } from '@/postgres/catalog'
import { refusalText, runQuery } from '@/postgres/run-query'
import { ErrorState } from '@/ui/states'
import { problemOf, shownText } from './cell'
import { cellStatement, EDITED_LENGTH, readRow, rowStatement, updateStatement, type NewValue } from './changes'
import { saveText } from './download'
import type { Page, PageRow } from './paging'
import { rowKeys } from './rows'
import { fieldText, storedText, ValueField } from './value-field'

export interface OpenCell {
  row: PageRow
  column: Column
  box: DOMRect
}

interface Props {
  relation: Relation
  open: OpenCell
  mayChange: boolean
  onClose: () => void
}

export function CellPopover({ relation, open, mayChange, onClose }: Props) {
  const { t } = useTranslation('tables')
  const { box, row, column } = open
  const index = relation.columns.indexOf(column)
  const preview = row.cells[index] ?? null
  const isCut = preview !== null && shownText(preview).isCut
  const wholeCell = useQuery({
    queryKey: [...rowKeys.table(relation), 'cell', row.identity, row.version, column.name],
    enabled: isCut,
    queryFn: async ({ signal }) => {
      const statement = cellStatement(relation, row, column.name)
      const { rows } = await runQuery({ ...statement, signal })
      return { text: String(rows[0]?.[0] ?? ''), bytes: Number(rows[0]?.[1] ?? 0), isWhole: rows[0]?.[2] === true }
    },
  })
  // The editor is placed over its cell, so it closes when the grid scrolls.
  useEffect(() => {
    addEventListener('resize', onClose)
    return () => removeEventListener('resize', onClose)
  }, [onClose])
  const isReadOnly = !mayChange || column.generated || column.identity === 'a'
  return (
    <Popover
      opened
      position="bottom-start"
      offset={2}
      trapFocus
      returnFocus
      withinPortal
      onChange={(isOpen) => !isOpen && onClose()}
      width={Math.min(420, window.innerWidth - 24)}
      shadow="md"
    >
      <Popover.Target>
        <div
          aria-hidden
          style={{
            position: 'fixed',
            left: box.left,
            top: box.top,
            width: box.width,
            height: box.height,
            pointerEvents: 'none',
          }}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('cell.edit', { column: column.name })} p="sm">
        {wholeCell.isLoading ? (
          <Group gap="xs">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{t('cell.loading')}</Text>
          </Group>
        ) : wholeCell.isError ? (
          <ErrorState error={wholeCell.error} onRetry={() => void wholeCell.refetch()} />
        ) : isReadOnly || (wholeCell.data && !wholeCell.data.isWhole) ? (
          <ReadOnlyCell
            relation={relation}
            open={open}
            text={wholeCell.data?.text ?? preview}
            bytes={wholeCell.data && !wholeCell.data.isWhole ? wholeCell.data.bytes : null}
            onClose={onClose}
          />
        ) : (
          <CellEditor relation={relation} open={open} stored={wholeCell.data?.text ?? preview} onClose={onClose} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function CellEditor({
  relation,
  open,
  stored,
  onClose,
}: {
  relation: Relation
  open: OpenCell
  stored: string | null
  onClose: () => void
}) {
  const { t } = useTranslation('tables')
  const { column } = open
  const client = useQueryClient()
  const [text, setText] = useState(() => fieldText(column, stored))
  const [row, setRow] = useState<Pick<PageRow, 'identity' | 'version'>>(open.row)
  const [conflict, setConflict] = useState<{ value: string | null } | 'deleted' | null>(null)
  const [isTouched, setIsTouched] = useState(false)
  const index = relation.columns.indexOf(column)
  const problem = problemOf(column, storedText(column, text))
  const save = useMutation({
    meta: { isQuiet: true },
    mutationFn: async (value: NewValue) => {
      const { rows } = await runQuery({
        ...updateStatement(relation, row, new Map([[column.name, value]])),
        isReadOnly: false,
      })
      if (rows[0]) return { saved: readRow(relation, rows[0]) }
      const current = await runQuery(rowStatement(relation, row))
      return { current: current.rows[0] ? readRow(relation, current.rows[0]) : null }
    },
    onSuccess: (result) => {
      if (result.saved) {
        replaceRow(result.saved)
        onClose()
      } else if (result.current) {
        // With the new version, another attempt overwrites the change knowingly.
        setRow(result.current)
        setConflict({ value: result.current.cells[index] ?? null })
        replaceRow(result.current)
      } else {
        setConflict('deleted')
      }
    },
  })
  const replaceRow = (next: Pick<PageRow, 'cells' | 'identity' | 'version'>): void => {
    const key = open.row.identity.join('\u0000')
    client.setQueriesData<Page>({ queryKey: [...rowKeys.table(relation), 'page'] }, (page) =>
      page
        ? { ...page, rows: page.rows.map((one) => (one.identity.join('\u0000') === key ? { ...one, ...next } : one)) }
        : page,
    )
  }
  const submit = (): void => {
    setIsTouched(true)
    if (!problem) save.mutate({ text: storedText(column, text) })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const isArea = event.target instanceof HTMLTextAreaElement && event.target.rows > 1
    if (event.key !== 'Enter' || event.shiftKey || event.target instanceof HTMLButtonElement) return
    if (isArea && !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    // The field inside has the focus; Enter saves from wherever it is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKeyDown}>
      <Stack gap="xs">
        <ValueField
          relation={relation}
          column={column}
          text={text}
          onChange={setText}
          label={column.name}
          description={column.comment ?? column.type}
          error={isTouched && problem ? t(`problem.${problem}`) : undefined}
          isFirst
        />
        {conflict === 'deleted' ? <Alert color="orange">{t('conflict.deleted')}</Alert> : null}
        {conflict && conflict !== 'deleted' ? (
          <Alert color="orange" title={t('conflict.title')} styles={{ title: { color: 'var(--mantine-color-text)' } }}>
            <Stack gap={6}>
              <Text size="sm">{t('conflict.text')}</Text>
              <Code block>{conflict.value === null ? 'NULL' : shownText(conflict.value).text}</Code>
              <Button size="compact-sm" variant="default" onClick={onClose}>
                {t('conflict.keep')}
              </Button>
            </Stack>
          </Alert>
        ) : null}
        {save.isError ? <Alert color="red">{refusalText(save.error)}</Alert> : null}
        <Group gap={6} justify="space-between">
          <Group gap={6}>
            {column.nullable ? (
              <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setText(null)}>
                NULL
              </Button>
            ) : null}
            {column.default !== null ? (
              <Button size="compact-sm" variant="subtle" color="gray" onClick={() => save.mutate('default')}>
                {t('cell.default')}
              </Button>
            ) : null}
          </Group>
          <Group gap={6}>
            <Button size="compact-sm" variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button size="compact-sm" loading={save.isPending} disabled={conflict === 'deleted'} onClick={submit}>
              {conflict ? t('conflict.overwrite') : t('save')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </div>
  )
}

interface ReadOnlyProps {
  relation: Relation
  open: OpenCell
  text: string | null
  /** The size of the whole value in bytes, if it is too long to be shown. */
  bytes: number | null
  onClose: () => void
}

function ReadOnlyCell({ relation, open, text, bytes, onClose }: ReadOnlyProps) {
  const { t } = useTranslation('tables')
  const { size } = useFormats()
  const { column, row } = open
  const download = useMutation({
    mutationFn: async () => {
      const { rows } = await runQuery(cellStatement(relation, row, column.name, true))
      saveText(`${relation.name}.${column.name}.txt`, 'text/plain', [String(rows[0]?.[0] ?? '')])
    },
  })
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {column.name}
      </Text>
      <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': column.name }}>
        <Code block>{text === null ? 'NULL' : text.slice(0, 20_000)}</Code>
      </ScrollArea.Autosize>
      {bytes === null ? null : (
        <Text size="xs" c="dimmed">
          {t('cell.tooLong', { size: size(bytes), limit: size(EDITED_LENGTH) })}
        </Text>
      )}
      <Group gap={6} justify="flex-end">
        {bytes === null ? null : (
          <Button size="compact-sm" variant="light" loading={download.isPending} onClick={() => download.mutate()}>
            {t('cell.download')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" data-autofocus onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </Stack>
  )
}
