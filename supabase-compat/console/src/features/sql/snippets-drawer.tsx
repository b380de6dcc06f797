/** Saved statements, and the dialog that saves one. */
import { ActionIcon, Alert, Button, Drawer, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconFileText, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { useErrorText } from '@/ui/error-text'
import { Prose } from '@/ui/prose'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { deleteSnippet, saveSnippet, snippetKey, snippetsQuery } from './snippets'
import type { Tab } from './tabs'

interface DrawerProps {
  onClose: () => void
  onOpen: (text: string, name: string, snippet: string) => void
}

export function SnippetsDrawer({ onClose, onOpen }: DrawerProps) {
  const { t } = useTranslation('sql')
  const client = useQueryClient()
  const mayChange = useMayChange()
  const snippets = useQuery(snippetsQuery)
  const remove = useMutation({
    mutationFn: deleteSnippet,
    onSuccess: () => client.invalidateQueries({ queryKey: snippetKey }),
  })
  const confirmDeletion = (name: string): void => {
    modals.openConfirmModal({
      title: t('snippets.delete', { name }),
      children: <Text size="sm">{t('snippets.deleteText')}</Text>,
      confirmProps: { color: 'red' },
      onConfirm: () => remove.mutate(name),
    })
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={t('snippets.label')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap={4}>
        {snippets.isPending ? <SkeletonRows rows={4} /> : null}
        {snippets.isError ? <ErrorState error={snippets.error} onRetry={() => void snippets.refetch()} /> : null}
        {snippets.data?.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('snippets.empty')}
          </Text>
        ) : null}
        {snippets.data?.map(({ name, query }) => (
          <Group key={name} gap={4} wrap="nowrap">
            <UnstyledButton
              flex={1}
              p={6}
              onClick={() => {
                onOpen(query, name, name)
                onClose()
              }}
            >
              <Group gap={8} wrap="nowrap">
                <IconFileText size={16} aria-hidden />
                <Text size="sm" truncate>
                  {name}
                </Text>
              </Group>
            </UnstyledButton>
            {mayChange ? (
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t('snippets.delete', { name })}
                onClick={() => confirmDeletion(name)}
              >
                <IconTrash size={15} />
              </ActionIcon>
            ) : null}
          </Group>
        ))}
      </Stack>
    </Drawer>
  )
}

export function SaveDialog({
  tab,
  onClose,
  onSaved,
}: {
  tab: Tab
  onClose: () => void
  onSaved: (name: string) => void
}) {
  const { t } = useTranslation('sql')
  const client = useQueryClient()
  const errorText = useErrorText()
  const [name, setName] = useState(tab.snippet ?? tab.name)
  const snippets = useQuery(snippetsQuery)
  const isTaken = name !== tab.snippet && (snippets.data?.some((one) => one.name === name) ?? false)
  const save = useMutation({
    meta: { isQuiet: true },
    mutationFn: saveSnippet,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: snippetKey })
      onSaved(name.trim())
      onClose()
    },
  })
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (name.trim() !== '') save.mutate({ name: name.trim(), query: tab.text })
  }
  return (
    <Modal opened onClose={onClose} title={t('snippets.save')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('snippets.name')}
            description={<Prose text={t('snippets.folder')} />}
            value={name}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {isTaken ? <Alert color="orange">{t('snippets.taken')}</Alert> : null}
          {save.isError ? <Alert color="red">{errorText(save.error)}</Alert> : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('snippets.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
