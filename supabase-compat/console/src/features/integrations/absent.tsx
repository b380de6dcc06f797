/** Says what is missing, with the statement that creates it. */
import { Stack } from '@mantine/core'
import { IconPuzzleOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '@/ui/code-block'
import { EmptyState } from '@/ui/states'

export function Absent({ extension }: { extension: 'pg_cron' | 'pgmq' | 'supabase_vault' | 'pg_net' }) {
  const { t } = useTranslation('integrations')
  return (
    <EmptyState icon={IconPuzzleOff} title={t('absent.title', { extension })} text={t('absent.text')}>
      <Stack>
        <CodeBlock code={`create extension ${extension};`} label={extension} />
      </Stack>
    </EmptyState>
  )
}
