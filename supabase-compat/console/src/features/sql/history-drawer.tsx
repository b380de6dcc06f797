/** The statements that were run in this browser. */
import { Button, Code, Drawer, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { loadHistory, saveHistory } from './tabs'

interface Props {
  onClose: () => void
  onOpen: (text: string) => void
}

export function HistoryDrawer({ onClose, onOpen }: Props) {
  const { t } = useTranslation('sql')
  const { relative, milliseconds } = useFormats()
  const [entries, setEntries] = useState(loadHistory)
  const [search, setSearch] = useState('')
  const matches = entries.filter(({ text }) => text.toLowerCase().includes(search.toLowerCase()))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={t('history.label')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <TextInput
            size="xs"
            flex={1}
            aria-label={t('history.search')}
            placeholder={t('history.search')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Button
            size="xs"
            variant="subtle"
            color="red"
            disabled={entries.length === 0}
            onClick={() => {
              saveHistory([])
              setEntries([])
            }}
          >
            {t('history.clear')}
          </Button>
        </Group>
        {matches.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('history.empty')}
          </Text>
        ) : null}
        {matches.map((entry) => (
          <UnstyledButton
            key={`${entry.at}${entry.text.slice(0, 40)}`}
            onClick={() => {
              onOpen(entry.text)
              onClose()
            }}
          >
            <Code block style={{ maxHeight: 92, overflow: 'hidden' }}>
              {entry.text.slice(0, 600)}
            </Code>
            <Text size="xs" c={entry.rows === null ? 'var(--console-bad)' : 'dimmed'}>
              {relative(entry.at)} ·{' '}
              {entry.rows === null ? t('history.failed') : t('results.rows', { count: entry.rows })} ·{' '}
              {milliseconds(entry.milliseconds)}
            </Text>
          </UnstyledButton>
        ))}
      </Stack>
    </Drawer>
  )
}
