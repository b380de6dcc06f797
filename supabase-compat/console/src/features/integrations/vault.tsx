/**
 * Secrets of the vault: their names. A value is shown after a click, which the audit log records.
 */
import {
  ActionIcon,
  Button,
  Group,
  Modal,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconEye, IconLock, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { refusalText } from '@/postgres/run-query'
import { CopyLine } from '@/ui/code-block'
import { confirm } from '@/ui/confirm'
import { Cell, ListTable } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { Section } from '@/ui/section'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { Absent } from './absent'
import { createSecret, deleteSecret, openSecret, vaultQuery, type AvailableFeatures, type VaultSecret } from './api'

export function Vault({ available }: { available: AvailableFeatures }) {
  const { t } = useTranslation('integrations')
  const mayChange = useMayChange()
  const secrets = useQuery({ ...vaultQuery, enabled: available.vault })
  if (!available.vault) return <Absent extension="supabase_vault" />
  return (
    <Stack gap="md">
      {secrets.isPending ? (
        <SkeletonRows rows={4} height={48} />
      ) : secrets.isError ? (
        <ErrorState error={secrets.error} onRetry={() => void secrets.refetch()} />
      ) : secrets.data.length === 0 ? (
        <EmptyState icon={IconLock} title={t('vault.none')} text={t('vault.noneText')} />
      ) : (
        <SecretTable secrets={secrets.data} />
      )}
      {mayChange ? <SecretForm /> : null}
    </Stack>
  )
}

function SecretTable({ secrets }: { secrets: VaultSecret[] }) {
  const { t } = useTranslation('integrations')
  const mayChange = useMayChange()
  const client = useQueryClient()
  const open = useMutation({ meta: { isQuiet: true }, mutationFn: openSecret })
  const remove = useMutation({
    mutationFn: deleteSecret,
    onSuccess: () => notify(t('vault.deleted')),
    onSettled: () => client.invalidateQueries({ queryKey: vaultQuery.queryKey }),
  })
  const nameOf = ({ name, id }: VaultSecret) => name ?? id
  const openedSecret = secrets.find(({ id }) => id === open.variables)
  return (
    <>
      <ListTable
        label={t('parts.vault')}
        columns={[
          { key: 'name', label: t('vault.name') },
          { key: 'description', label: t('vault.description'), from: 'sm' },
          { key: 'changed', label: t('vault.changed'), width: 140, from: 'md' },
          { key: 'actions', label: <VisuallyHidden>{t('actions')}</VisuallyHidden>, width: 96 },
        ]}
      >
        {secrets.map((secret) => (
          <tr key={secret.id}>
            <Cell title={nameOf(secret)}>
              <span className="mono">{nameOf(secret)}</span>
            </Cell>
            <Cell from="sm" title={secret.description}>
              {secret.description}
            </Cell>
            <Cell from="md">
              <When at={secret.updated_at} />
            </Cell>
            <Cell>
              {mayChange ? (
                <Group gap={4} wrap="nowrap" justify="flex-end">
                  <Tooltip label={t('vault.show')}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('vault.showNamed', { name: nameOf(secret) })}
                      onClick={() => open.mutate(secret.id)}
                    >
                      <IconEye size={17} />
                    </ActionIcon>
                  </Tooltip>
                  <Tooltip label={t('vault.delete')}>
                    <ActionIcon
                      variant="subtle"
                      color="red"
                      aria-label={t('vault.deleteNamed', { name: nameOf(secret) })}
                      onClick={() =>
                        confirm({
                          title: t('vault.deleteNamed', { name: nameOf(secret) }),
                          text: t('vault.deleteText'),
                          action: t('vault.delete'),
                          onConfirm: () => remove.mutate(secret.id),
                        })
                      }
                    >
                      <IconTrash size={17} />
                    </ActionIcon>
                  </Tooltip>
                </Group>
              ) : null}
            </Cell>
          </tr>
        ))}
      </ListTable>
      <Modal
        opened={!open.isIdle}
        onClose={open.reset}
        title={openedSecret ? nameOf(openedSecret) : t('parts.vault')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {open.isPending ? (
          <SkeletonRows rows={1} />
        ) : open.isError ? (
          <ErrorState error={new Error(refusalText(open.error))} />
        ) : (
          <Stack gap="xs">
            <CopyLine value={open.data ?? ''} label={t('vault.value')} />
            <Text size="sm" c="dimmed">
              {t('vault.audited')}
            </Text>
          </Stack>
        )}
      </Modal>
    </>
  )
}

function SecretForm() {
  const { t } = useTranslation('integrations')
  const client = useQueryClient()
  const form = useForm({
    initialValues: { name: '', value: '', description: '' },
    validate: { value: (value) => (value === '' ? t('vault.noValue') : null) },
  })
  const create = useMutation({
    mutationFn: createSecret,
    onSuccess: () => {
      form.reset()
      notify(t('vault.created'))
      return client.invalidateQueries({ queryKey: vaultQuery.queryKey })
    },
  })
  return (
    <Section title={t('vault.add')}>
      <form onSubmit={form.onSubmit((secret) => create.mutate(secret))}>
        <Group gap="xs" align="flex-start">
          <TextInput
            label={t('vault.name')}
            autoComplete="off"
            spellCheck={false}
            style={{ flex: 1, minWidth: 160 }}
            {...form.getInputProps('name')}
          />
          <PasswordInput
            label={t('vault.value')}
            autoComplete="off"
            style={{ flex: 1, minWidth: 160 }}
            visibilityToggleButtonProps={{ 'aria-label': t('vault.show') }}
            {...form.getInputProps('value')}
          />
          <TextInput
            label={t('vault.description')}
            autoComplete="off"
            style={{ flex: 1, minWidth: 160 }}
            {...form.getInputProps('description')}
          />
          <Button type="submit" mt={{ base: 0, sm: 21 }} w={{ base: '100%', sm: 'auto' }} loading={create.isPending}>
            {t('vault.save')}
          </Button>
        </Group>
      </form>
    </Section>
  )
}
