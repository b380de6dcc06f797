/** The form for a new webhook: a trigger of a table that calls an address after a change. */
import { Checkbox, Group, NativeSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { relationsQuery } from '@/postgres/relations'
import type { PreparedSql } from '@/ui/sql-preview'
import { StatementDialog } from './statement-dialog'
import { createWebhookSql, tableKey, WEBHOOK_EVENTS, type WebhookDraft } from './statements'

const EMPTY: WebhookDraft = {
  name: '',
  table: '',
  events: ['insert'],
  method: 'POST',
  address: '',
  headers: '{"Content-Type": "application/json"}',
  timeout: 5000,
}

/** Whether a text is a JSON object whose values are texts. */
function areHeaders(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}')
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && Object.values(value).every((one) => typeof one === 'string')
  } catch {
    return false
  }
}

const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '')

interface Props {
  /** The statement is shown: the form stays mounted behind it, so that its input is there again. */
  isCovered: boolean
  onClose: () => void
  onPrepare: (prepared: PreparedSql) => void
}

export function WebhookForm({ isCovered, onClose, onPrepare }: Props) {
  const { t } = useTranslation('integrations')
  const relations = useQuery(relationsQuery)
  const tables = (relations.data ?? []).filter(({ kind }) => kind === 'table' || kind === 'partitioned')
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      name: (name) => (name.trim() === '' ? t('needed') : null),
      table: (table) => (table === '' ? t('needed') : null),
      events: (events) => (events.length === 0 ? t('needed') : null),
      address: (address) => (isAddress(address) ? null : t('webhooks.wrongAddress')),
      headers: (headers) => (areHeaders(headers) ? null : t('webhooks.wrongHeaders')),
    },
  })
  return (
    <StatementDialog
      title={t('webhooks.new')}
      isCovered={isCovered}
      onClose={onClose}
      onSubmit={form.onSubmit((draft) => onPrepare({ title: t('webhooks.new'), sql: createWebhookSql(draft) }))}
    >
      <TextInput
        data-autofocus
        label={t('webhooks.name')}
        placeholder="tell_of_orders"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('name')}
      />
      <Select
        label={t('webhooks.table')}
        placeholder={t('webhooks.choose')}
        data={tables.map(({ schema, name }) => ({ value: tableKey(schema, name), label: `${schema}.${name}` }))}
        searchable
        limit={100}
        comboboxProps={{ withinPortal: false }}
        {...form.getInputProps('table')}
      />
      <Checkbox.Group label={t('webhooks.events')} {...form.getInputProps('events')}>
        <Group gap="md" mt={6}>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={event} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <NativeSelect label={t('webhooks.method')} data={['POST', 'GET']} w={100} {...form.getInputProps('method')} />
        <TextInput
          type="url"
          label={t('webhooks.address')}
          placeholder="https://example.com/orders"
          autoComplete="off"
          spellCheck={false}
          style={{ flex: 1 }}
          {...form.getInputProps('address')}
        />
      </Group>
      <Textarea
        label={t('webhooks.headers')}
        description={t('webhooks.headersHelp')}
        autosize
        minRows={2}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
        {...form.getInputProps('headers')}
      />
      <NumberInput
        label={t('webhooks.timeout')}
        min={1000}
        max={10_000}
        step={1000}
        clampBehavior="strict"
        {...form.getInputProps('timeout')}
      />
    </StatementDialog>
  )
}
