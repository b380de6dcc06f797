/** The field for a value of a column, by its type. */
import { Button, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foreignKeyOf, type Column, type Relation } from '@/postgres/catalog'
import { arrayFromText, arrayToJson, editorOf } from './cell'
import { ReferencePicker } from './reference-picker'

interface Props {
  relation: Relation
  column: Column
  /** What is in the field; null is NULL. */
  text: string | null
  onChange: (text: string | null) => void
  error?: string | undefined
  label?: string | undefined
  description?: string | undefined
  placeholder?: string | undefined
  isFirst?: boolean
}

/** The text of a stored value in the field: arrays are shown as JSON. */
export function fieldText(column: Column, stored: string | null): string | null {
  return stored !== null && editorOf(column) === 'array' ? arrayToJson(stored) : stored
}

/** The stored value of a field's text. */
export function storedText(column: Column, text: string | null): string | null {
  return text !== null && editorOf(column) === 'array' ? arrayFromText(text) : text
}

export function ValueField({
  relation,
  column,
  text,
  onChange,
  error,
  label,
  description,
  placeholder,
  isFirst,
}: Props) {
  const { t } = useTranslation('tables')
  const [isPicking, setIsPicking] = useState(false)
  const reference = foreignKeyOf(relation, column.name)
  const editor = editorOf(column)
  const common = {
    label,
    description,
    error,
    size: 'sm' as const,
    placeholder: text === null ? (placeholder ?? 'NULL') : placeholder,
    'data-autofocus': isFirst || undefined,
    'aria-label': label ? undefined : column.name,
  }
  if (reference)
    return (
      <Stack gap={6}>
        <TextInput
          {...common}
          value={text ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
          rightSectionWidth={84}
          rightSection={
            <Button
              size="compact-xs"
              variant="light"
              aria-expanded={isPicking}
              onClick={() => setIsPicking(!isPicking)}
            >
              {t('reference.pick')}
            </Button>
          }
        />
        {isPicking ? (
          <ReferencePicker
            reference={reference}
            onPick={(value) => {
              onChange(value)
              setIsPicking(false)
            }}
          />
        ) : null}
      </Stack>
    )
  switch (editor) {
    case 'boolean':
      return (
        <Stack gap={4}>
          {label ? <span style={{ fontSize: 13, fontWeight: 500 }}>{label}</span> : null}
          <SegmentedControl
            size="xs"
            aria-label={column.name}
            value={text === null ? 'null' : /^(t|true|1|y|yes|on)$/i.test(text) ? 'true' : 'false'}
            onChange={(next) => onChange(next === 'null' ? null : next)}
            data={[
              'true',
              'false',
              { value: 'null', label: placeholder ?? 'NULL', disabled: !column.nullable && placeholder === undefined },
            ]}
          />
        </Stack>
      )
    case 'choice':
      return (
        <Select
          {...common}
          data={column.labels ?? []}
          value={text}
          searchable
          clearable={column.nullable}
          comboboxProps={{ withinPortal: false }}
          onChange={onChange}
        />
      )
    case 'json':
    case 'array':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
          value={text ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'date':
      return (
        <TextInput
          {...common}
          type="date"
          value={text ?? ''}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      )
    case 'time':
      return (
        <TextInput
          {...common}
          value={text ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
          rightSectionWidth={64}
          rightSection={
            <Button size="compact-xs" variant="light" onClick={() => onChange(nowFor(column))}>
              {t('cell.now')}
            </Button>
          }
        />
      )
    case 'number':
      return (
        <TextInput
          {...common}
          inputMode="decimal"
          value={text ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    default:
      return column.base === 'uuid' ? (
        <TextInput
          {...common}
          value={text ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
          rightSectionWidth={70}
          rightSection={
            <Button size="compact-xs" variant="light" onClick={() => onChange(crypto.randomUUID())}>
              {t('cell.generate')}
            </Button>
          }
        />
      ) : (
        <Textarea
          {...common}
          autosize
          minRows={1}
          maxRows={12}
          value={text ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}

function nowFor(column: Column): string {
  const now = new Date().toISOString()
  if (column.base.startsWith('time') && !column.base.startsWith('timestamp')) return now.slice(11, 19)
  return column.base === 'timestamp' ? now.slice(0, 19).replace('T', ' ') : now
}
