/** The secrets of all functions: names only, never values. */
import {
  ActionIcon,
  Button,
  Group,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/client'
import { useMayChange } from '@/app/session'
import { confirm } from '@/ui/confirm'
import { Cell, ListTable } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { isSecretName, removeSecret, secretsQuery, setSecret } from './api'

export function Secrets() {
  const { t } = useTranslation('functions')
  const secrets = useQuery(secretsQuery)
  const mayChange = useMayChange()
  const hasNoFolder = secrets.error instanceof ApiError && secrets.error.code === 'no_functions_folder'
  return (
    <Section title={t('secrets.title')} description={t('secrets.description')}>
      {secrets.isPending ? (
        <SkeletonRows rows={2} height={36} />
      ) : hasNoFolder ? (
        <Text size="sm" c="dimmed">
          {t('none.noFolder')}
        </Text>
      ) : secrets.isError ? (
        <ErrorState error={secrets.error} onRetry={() => void secrets.refetch()} />
      ) : (
        <Stack gap="md">
          {secrets.data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('secrets.none')}
            </Text>
          ) : (
            <SecretList names={secrets.data} />
          )}
          {mayChange ? <SecretForm names={secrets.data} /> : null}
        </Stack>
      )}
    </Section>
  )
}

function SecretList({ names }: { names: string[] }) {
  const { t } = useTranslation('functions')
  const mayChange = useMayChange()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: removeSecret,
    onSuccess: (_, name) => notify(t('secrets.removed', { name })),
    onSettled: () => client.invalidateQueries({ queryKey: secretsQuery.queryKey }),
  })
  return (
    <ListTable
      label={t('secrets.title')}
      columns={[
        { key: 'name', label: t('name') },
        { key: 'remove', label: <VisuallyHidden>{t('actions')}</VisuallyHidden>, width: 56 },
      ]}
    >
      {names.map((name) => (
        <tr key={name}>
          <Cell title={name}>
            <span className="mono">{name}</span>
          </Cell>
          <Cell>
            {mayChange ? (
              <Tooltip label={t('secrets.remove')}>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={t('secrets.removeNamed', { name })}
                  loading={remove.isPending && remove.variables === name}
                  onClick={() =>
                    confirm({
                      title: t('secrets.removeTitle', { name }),
                      text: t('secrets.removeText'),
                      action: t('secrets.remove'),
                      onConfirm: () => remove.mutate(name),
                    })
                  }
                >
                  <IconTrash size={17} />
                </ActionIcon>
              </Tooltip>
            ) : null}
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function SecretForm({ names }: { names: string[] }) {
  const { t } = useTranslation('functions')
  const client = useQueryClient()
  const form = useForm({
    initialValues: { name: '', value: '' },
    validate: {
      name: (name) => (isSecretName(name.trim()) ? null : t('secrets.wrongName')),
      value: (value) => (value === '' ? t('secrets.noValue') : null),
    },
  })
  const set = useMutation({
    mutationFn: setSecret,
    onSuccess: (_, { name }) => {
      form.reset()
      notify(t('secrets.saved', { name }))
      return client.invalidateQueries({ queryKey: secretsQuery.queryKey })
    },
  })
  const isKnown = names.includes(form.values.name.trim())
  return (
    <form onSubmit={form.onSubmit(({ name, value }) => set.mutate({ name: name.trim(), value }))}>
      <Group gap="xs" align="flex-start">
        <TextInput
          label={t('name')}
          placeholder="STRIPE_KEY"
          spellCheck={false}
          autoComplete="off"
          style={{ flex: 1, minWidth: 180 }}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t('secrets.value')}
          autoComplete="off"
          style={{ flex: 1, minWidth: 180 }}
          visibilityToggleButtonProps={{ 'aria-label': t('secrets.show') }}
          {...form.getInputProps('value')}
        />
        <Button type="submit" loading={set.isPending} mt={{ base: 0, sm: 21 }} w={{ base: '100%', sm: 'auto' }}>
          {isKnown ? t('secrets.replace') : t('secrets.add')}
        </Button>
      </Group>
    </form>
  )
}
