/** The passkeys of the operator's own account. */
import { ActionIcon, Alert, Anchor, Button, Group, Stack, Text, Tooltip } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconFingerprint, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { passkeySupport, type Passkey } from '@/api/passkeys'
import { Section } from '@/ui/section'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { passkeysQuery } from './api'
import { NewPasskeyForm, PasskeyNameForm, PasskeyRemovalForm } from './passkey-forms'
import classes from './passkeys.module.css'

export function Passkeys() {
  const { t } = useTranslation('settings')
  const passkeys = useQuery(passkeysQuery)
  const support = passkeySupport()
  return (
    <Section title={t('passkeys.title')} description={t('passkeys.description')}>
      <Stack gap="sm" align="stretch">
        {passkeys.isPending ? (
          <SkeletonRows rows={1} height={48} />
        ) : passkeys.isError ? (
          <ErrorState error={passkeys.error} onRetry={() => void passkeys.refetch()} />
        ) : passkeys.data.length > 0 ? (
          <ul className={classes.list}>
            {passkeys.data.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        ) : null}
        {support === 'yes' ? (
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} />}
              onClick={() => modals.open({ title: t('passkeys.add'), centered: true, children: <NewPasskeyForm /> })}
            >
              {t('passkeys.add')}
            </Button>
          </Group>
        ) : (
          <Alert variant="light">{support === 'no_domain' ? <NoDomain /> : t('passkeys.noBrowser')}</Alert>
        )}
      </Stack>
    </Section>
  )
}

/** Passkeys need a domain name; this links to the machine's name instead of its IP address. */
function NoDomain() {
  const { t } = useTranslation('settings')
  const isLoopback = /^127\.|^\[::1\]$/.test(location.hostname)
  if (!isLoopback) return t('passkeys.noDomain')
  const port = location.port === '' ? '' : `:${location.port}`
  const url = `http://localhost${port}/console/settings`
  return (
    <>
      {t('passkeys.atLocalhost')}{' '}
      <Anchor href={url} size="sm">
        {url}
      </Anchor>
    </>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('settings')
  const { name, domain, created_at: createdAt, last_used_at: used } = passkey
  return (
    <li className={classes.passkey}>
      <IconFingerprint size={20} aria-hidden />
      <div>
        <Text size="sm" fw={500} truncate title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {t('passkeys.made')} <When at={createdAt} />
          {used ? (
            <>
              {' · '}
              {t('passkeys.used')} <When at={used} />
            </>
          ) : null}
          {domain === location.hostname ? null : ` · ${domain}`}
        </Text>
      </div>
      <Tooltip label={t('passkeys.rename')}>
        <ActionIcon
          variant="subtle"
          aria-label={t('passkeys.renameNamed', { name })}
          onClick={() =>
            modals.open({
              title: t('passkeys.rename'),
              centered: true,
              children: <PasskeyNameForm passkey={passkey} />,
            })
          }
        >
          <IconPencil size={17} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('passkeys.remove')}>
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={t('passkeys.removeNamed', { name })}
          onClick={() =>
            modals.open({
              title: t('passkeys.removeTitle', { name }),
              centered: true,
              children: <PasskeyRemovalForm passkey={passkey} />,
            })
          }
        >
          <IconTrash size={17} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
