/** A form that sends one request as an account, and its response. */
import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalText } from '@/postgres/run-query'
import { CodeBlock } from '@/ui/code-block'
import { useErrorText } from '@/ui/error-text'
import { requestAs, METHODS, runAs, type ImpersonatedResponse, type Method } from './acting'
import type { User } from './api'

export function ActAsUser({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const [kind, setKind] = useState('rest')
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('acting.help')}
      </Text>
      <SegmentedControl
        aria-label={t('acting.kind')}
        value={kind}
        onChange={setKind}
        data={(['rest', 'sql'] as const).map((value) => ({ value, label: t(`acting.${value}`) }))}
      />
      {kind === 'rest' ? <RestForm user={user} /> : <SqlForm user={user} />}
    </Stack>
  )
}

function RestForm({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const errorText = useErrorText()
  const form = useForm({
    initialValues: { method: 'GET' as Method, path: '', body: '' },
    validate: {
      path: (value) => (value.trim() === '' ? t('acting.pathMissing') : null),
      body: (value) => (value.trim() === '' || isJson(value) ? null : t('acting.noJson')),
    },
  })
  const request = useMutation({
    meta: { isQuiet: true },
    mutationFn: (values: typeof form.values) => requestAs(user, values),
  })
  const { method } = form.values
  return (
    <form noValidate onSubmit={form.onSubmit((values) => request.mutate(values))}>
      <Stack gap="sm">
        <Group gap="sm" align="flex-start" wrap="nowrap">
          <NativeSelect
            label={t('acting.method')}
            data={[...METHODS]}
            w={104}
            style={{ flexShrink: 0 }}
            {...form.getInputProps('method')}
          />
          <TextInput
            label={t('acting.path')}
            placeholder="todos?select=*&limit=10"
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: 'mono' }}
            style={{ flex: 1 }}
            {...form.getInputProps('path')}
          />
        </Group>
        {method === 'POST' || method === 'PATCH' ? (
          <Textarea
            label={t('acting.body')}
            rows={4}
            resize="vertical"
            spellCheck={false}
            classNames={{ input: 'mono' }}
            {...form.getInputProps('body')}
          />
        ) : null}
        <Group>
          <Button type="submit" loading={request.isPending}>
            {t('acting.send')}
          </Button>
        </Group>
        <Outcome response={request.data} refusal={request.error && errorText(request.error)} />
      </Stack>
    </form>
  )
}

function SqlForm({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const form = useForm({
    initialValues: { statement: '', isReadOnly: true },
    validate: { statement: (value) => (value.trim() === '' ? t('acting.statementMissing') : null) },
  })
  const run = useMutation({
    meta: { isQuiet: true },
    mutationFn: (values: typeof form.values) => runAs(user, values),
  })
  return (
    <form noValidate onSubmit={form.onSubmit((values) => run.mutate(values))}>
      <Stack gap="sm">
        <Textarea
          label={t('acting.statement')}
          rows={6}
          resize="vertical"
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('statement')}
        />
        <Checkbox
          label={t('acting.readOnly')}
          description={t('acting.readOnlyHelp')}
          {...form.getInputProps('isReadOnly', { type: 'checkbox' })}
        />
        <Group>
          <Button type="submit" loading={run.isPending}>
            {t('acting.run')}
          </Button>
        </Group>
        <Outcome response={run.data} refusal={run.error && refusalText(run.error)} />
      </Stack>
    </form>
  )
}

function Outcome({ response, refusal }: { response: ImpersonatedResponse | undefined; refusal: string | null }) {
  const { t } = useTranslation('users')
  if (refusal)
    return (
      <Alert color="red" role="alert">
        {refusal}
      </Alert>
    )
  if (!response) return null
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {t('acting.answer')}
        </Text>
        {response.status === null ? null : (
          <Badge variant="light" color={response.isGood ? 'green' : 'red'} autoContrast>
            {response.status}
          </Badge>
        )}
      </Group>
      {response.text === '' ? (
        <Text size="sm" c="dimmed">
          {t('acting.nothing')}
        </Text>
      ) : (
        <CodeBlock code={response.text} label={t('acting.answer')} maxHeight={360} />
      )}
      {response.isCut ? (
        <Text size="xs" c="dimmed">
          {t('acting.cut')}
        </Text>
      ) : null}
    </Stack>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
