/**
 * A form for each operation of the OpenAPI document: parameters, body, identity, and the response.
 */
import { Button, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Caller } from '@/api/caller'
import { useMayChange } from '@/app/session'
import { ResponseView } from '@/ui/response-view'
import { CallerPicker } from '@/ui/caller-picker'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { useAddressState } from '@/ui/use-address-state'
import { callOperation, documentQuery, operationsOf, type Operation } from './openapi'

export function TryForm() {
  const { t } = useTranslation('api')
  const document = useQuery(documentQuery)
  return (
    <Section title={t('try.title')} description={t('try.description')}>
      {document.isPending ? (
        <SkeletonRows rows={3} height={40} />
      ) : document.isError ? (
        <ErrorState error={document.error} onRetry={() => void document.refetch()} />
      ) : (
        <Operations operations={operationsOf(document.data)} />
      )}
    </Section>
  )
}

function Operations({ operations }: { operations: Operation[] }) {
  const { t } = useTranslation('api')
  const mayChange = useMayChange()
  const [selected, setSelected] = useAddressState('operation')
  const visible = operations.filter(({ method }) => mayChange || method === 'GET')
  const operation = visible.find(({ id }) => id === selected) ?? visible.find(({ path }) => path !== '/') ?? visible[0]
  if (!operation)
    return (
      <Text size="sm" c="dimmed">
        {t('try.none')}
      </Text>
    )
  return (
    <Stack gap="sm">
      <Select
        label={t('try.operation')}
        data={visible.map(({ id, method, path }) => ({ value: id, label: `${method} ${path}` }))}
        value={operation.id}
        searchable
        allowDeselect={false}
        limit={200}
        maw={480}
        onChange={(value) => setSelected(value ?? '')}
      />
      {operation.summary ? (
        <Text size="sm" c="dimmed">
          {operation.summary}
        </Text>
      ) : null}
      <OperationForm key={operation.id} operation={operation} />
    </Stack>
  )
}

function OperationForm({ operation }: { operation: Operation }) {
  const { t } = useTranslation('api')
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(operation.body ?? '')
  const [caller, setCaller] = useState<Caller>({ kind: 'service' })
  const call = useMutation({ meta: { isQuiet: true }, mutationFn: callOperation })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        call.mutate({ operation, values, body, caller })
      }}
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
          {operation.parameters.map(({ name, in: place, required, description, format, type }) => (
            <TextInput
              key={`${place} ${name}`}
              label={name}
              description={description?.split('\n')[0] || (place === 'header' ? t('try.header') : undefined)}
              placeholder={format ?? type}
              withAsterisk={required}
              value={values[name] ?? ''}
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
              spellCheck={false}
            />
          ))}
        </SimpleGrid>
        {operation.body === null ? null : (
          <Textarea
            label={t('try.body')}
            autosize
            minRows={4}
            maxRows={16}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        )}
        <Group align="flex-end" justify="space-between">
          <CallerPicker caller={caller} onChange={setCaller} />
          <Button type="submit" loading={call.isPending}>
            {t('try.submit')}
          </Button>
        </Group>
        {call.isError ? <ErrorState error={call.error} /> : null}
        {call.data ? <ResponseView response={call.data} /> : null}
      </Stack>
    </form>
  )
}
