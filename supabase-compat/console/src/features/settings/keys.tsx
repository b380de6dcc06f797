/**
 * The project's keys: public ones, a secret one after entering the password, and those that sign
 * tokens.
 */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconRefreshAlert } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/app/session'
import { CopyLine } from '@/ui/code-block'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { keysQuery, showSecret, type SecretName } from './api'
import { OpaqueKeys } from './opaque-keys'
import { Reveal } from './reveal'
import { SigningKeys } from './signing-keys'

export function Keys() {
  const { t } = useTranslation('settings')
  const isOwner = useSession().operator.role === 'owner'
  const keys = useQuery(keysQuery)
  const [revealed, setRevealed] = useState<SecretName | null>(null)
  return (
    <Section title={t('keys.title')} description={t('keys.description')}>
      {keys.isPending ? (
        <SkeletonRows rows={3} height={36} />
      ) : keys.isError ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : (
        <Stack gap="md">
          {keys.data.needs_restart ? (
            <Alert color="yellow" variant="light" icon={<IconRefreshAlert size={18} />} title={t('keys.restart.title')}>
              {t('keys.restart.text')}
            </Alert>
          ) : null}
          <PublicKey label={t('keys.publishable')} value={keys.data.publishable} />
          <PublicKey label={t('keys.anon')} value={keys.data.anon} />
          {keys.data.secrets.map((name) => (
            <Group key={name} justify="space-between" gap="sm">
              <div>
                <Text size="sm" fw={500}>
                  {t(`keys.secrets.${name}.title`)}
                </Text>
                <Text size="sm" c="dimmed" maw="60ch">
                  {t(`keys.secrets.${name}.text`)}
                </Text>
              </div>
              {isOwner ? (
                <Button variant="default" onClick={() => setRevealed(name)}>
                  {t('keys.show')}
                </Button>
              ) : null}
            </Group>
          ))}
          {keys.data.variables.length > 0 ? (
            <Text size="sm" c="dimmed">
              {t('keys.variables', { names: keys.data.variables.join(', ') })}
            </Text>
          ) : null}
          <OpaqueKeys keys={keys.data} mayChange={isOwner} />
          <SigningKeys keys={keys.data} mayChange={isOwner} />
        </Stack>
      )}
      <Modal
        opened={revealed !== null}
        onClose={() => setRevealed(null)}
        title={revealed ? t(`keys.secrets.${revealed}.title`) : ''}
        closeButtonProps={{ 'aria-label': t('keys.close') }}
        centered
      >
        {revealed ? (
          <Reveal
            label={t(`keys.secrets.${revealed}.title`)}
            help={t('keys.passwordHelp')}
            action={t('keys.show')}
            load={(password) => showSecret({ name: revealed, password })}
          />
        ) : null}
      </Modal>
    </Section>
  )
}

function PublicKey({ label, value }: { label: string; value: string }) {
  if (value === '') return null
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <CopyLine value={value} label={label} />
    </div>
  )
}
