/** Warnings by severity, each with what to do. Renders nothing if there are none. */
import { Anchor, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Section } from '@/ui/section'
import { ErrorState } from '@/ui/states'
import { StatusDot } from '@/ui/status-dot'
import { warningsQuery, type Warning } from './api'

const TONES = { error: 'bad', warning: 'warning', info: 'off' } as const
/** The screen of this console where a warning can be fixed. */
const PATHS: Partial<Record<string, string>> = { no_recent_backup: '/backups', last_backup_failed: '/backups' }
const KNOWN_WARNINGS = [
  'known_api_keys',
  'short_jwt_secret',
  'default_database_password',
  'development_in_public',
  'unencrypted_public_url',
  'agents_may_write',
  'unencrypted_console',
  'no_mail_relay',
  'owner_without_second_factor',
  'last_backup_failed',
  'no_recent_backup',
] as const

export function Warnings() {
  const { t } = useTranslation('settings')
  const warnings = useQuery(warningsQuery)
  if (warnings.isError) return <ErrorState error={warnings.error} onRetry={() => void warnings.refetch()} />
  if (!warnings.data || warnings.data.length === 0) return null
  return (
    <Section title={t('warnings.title')} description={t('warnings.description')}>
      <List listStyleType="none" spacing="md" p={0}>
        {warnings.data.map((warning) => (
          <List.Item key={warning.name}>
            <Line warning={warning} />
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

function Line({ warning }: { warning: Warning }) {
  const { t } = useTranslation('settings')
  const name = KNOWN_WARNINGS.find((one) => one === warning.name)
  const path = PATHS[warning.name]
  return (
    <Stack gap={2}>
      <Text size="sm" fw={500}>
        <StatusDot tone={TONES[warning.level]} /> {name ? t(`warnings.${name}.title`) : warning.name}
      </Text>
      {warning.subjects.length > 0 ? (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {warning.subjects.join(', ')}
        </Text>
      ) : null}
      {name ? (
        <Text size="sm" c="dimmed" maw="75ch">
          {t(`warnings.${name}.remedy`)}
        </Text>
      ) : null}
      {path ? (
        <Anchor component={Link} to={path} size="sm">
          {t('warnings.toBackups')}
        </Anchor>
      ) : null}
    </Stack>
  )
}
