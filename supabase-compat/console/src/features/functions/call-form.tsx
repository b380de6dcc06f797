/** A form that calls a function with an identity, and its response. */
import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ResponseView } from '@/ui/response-view'
import { CallerPicker } from '@/ui/caller-picker'
import { Section } from '@/ui/section'
import { ErrorState } from '@/ui/states'
import { callFunction, functionsQuery, METHODS, readHeaders, type FunctionCall } from './api'

const CODE = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }

export function CallForm({ name }: { name: string }) {
  const { t } = useTranslation('functions')
  const client = useQueryClient()
  const [draft, setDraft] = useState<FunctionCall>({
    name,
    method: 'POST',
    rest: '',
    headers: '',
    body: '{}',
    caller: { kind: 'anon' },
  })
  const set = (change: Partial<FunctionCall>): void => setDraft({ ...draft, ...change })
  const call = useMutation({
    meta: { isQuiet: true },
    mutationFn: callFunction,
    onSettled: () => client.invalidateQueries({ queryKey: functionsQuery.queryKey, exact: true }),
  })
  const { invalidLine } = readHeaders(draft.headers)
  const isInvalidPath = draft.rest !== '' && !/^[/?]/.test(draft.rest)
  return (
    <Section title={t('call.title')} description={t('call.description')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (invalidLine === null && !isInvalidPath) call.mutate(draft)
        }}
      >
        <Stack gap="sm">
          <Group gap="xs" align="flex-start">
            <NativeSelect
              label={t('call.method')}
              value={draft.method}
              data={METHODS}
              onChange={(event) => set({ method: METHODS.find((one) => one === event.currentTarget.value) ?? 'POST' })}
            />
            <TextInput
              label={t('call.rest')}
              placeholder="/path?name=value"
              value={draft.rest}
              onChange={(event) => set({ rest: event.currentTarget.value })}
              error={isInvalidPath ? t('call.wrongRest') : undefined}
              spellCheck={false}
              style={{ flex: 1, minWidth: 180 }}
            />
            <CallerPicker caller={draft.caller} onChange={(caller) => set({ caller })} />
          </Group>
          <Textarea
            label={t('call.headers')}
            description={t('call.headersText')}
            placeholder="x-example: value"
            autosize
            minRows={1}
            maxRows={6}
            value={draft.headers}
            onChange={(event) => set({ headers: event.currentTarget.value })}
            error={invalidLine === null ? undefined : t('call.wrongHeader', { line: invalidLine })}
            spellCheck={false}
            styles={CODE}
          />
          {draft.method === 'GET' ? null : (
            <Textarea
              label={t('call.body')}
              autosize
              minRows={4}
              maxRows={16}
              value={draft.body}
              onChange={(event) => set({ body: event.currentTarget.value })}
              spellCheck={false}
              styles={CODE}
            />
          )}
          <Group>
            <Button type="submit" loading={call.isPending}>
              {t('call.submit')}
            </Button>
          </Group>
          {call.isError ? <ErrorState error={call.error} /> : null}
          {call.data ? <ResponseView response={call.data} /> : null}
        </Stack>
      </form>
    </Section>
  )
}
