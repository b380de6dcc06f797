/**
 * The keys that sign tokens. A rotation keeps the former key valid, and takes effect at the next
 * start.
 */
import { Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '@/ui/code-block'
import { confirm } from '@/ui/confirm'
import { Cell, ListTable } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { changeSigningKeys, keysQuery, type KeySummary } from './api'

export function SigningKeys({ keys, mayChange }: { keys: KeySummary; mayChange: boolean }) {
  const { t } = useTranslation('settings')
  const isOurs = keys.source === 'folder'
  return (
    <Stack gap="sm">
      <div>
        <Title order={3} size="h6">
          {t('signing.title')}
        </Title>
        <Text size="sm" c="dimmed" maw="75ch">
          {t(`signing.sources.${keys.source}`)}
        </Text>
      </div>
      {keys.source === 'folder' ? null : (
        <CodeBlock
          label={t('signing.variables')}
          code={
            keys.source === 'secret'
              ? 'GOTRUE_JWT_KEYS=[…]   # supabase-compat gen signing-key\nJWT_SECRET=…          # as before'
              : 'supabase-compat keys --rotate\nGOTRUE_JWT_KEYS=[…]   # what it prints'
          }
        />
      )}
      {keys.signing.length > 0 ? <KeyTable keys={keys} mayChange={mayChange && isOurs} /> : null}
      {mayChange && isOurs ? <Rotation keys={keys} /> : null}
    </Stack>
  )
}

function useChange(done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: changeSigningKeys,
    onSuccess: () => notify(done),
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  })
}

function KeyTable({ keys, mayChange }: { keys: KeySummary; mayChange: boolean }) {
  const { t } = useTranslation('settings')
  const revoke = useChange(t('signing.revoked'))
  return (
    <ListTable
      label={t('signing.title')}
      isWrapped
      columns={[
        { key: 'kid', label: t('signing.kid') },
        { key: 'actions', label: <VisuallyHidden>{t('signing.actions')}</VisuallyHidden>, width: 110 },
      ]}
    >
      {keys.signing.map(({ kid, algorithm, status }) => (
        <tr key={kid}>
          <Cell>
            <span className="mono" style={{ overflowWrap: 'anywhere' }}>
              {kid}
            </span>
            <Text size="xs" c="dimmed">
              <span>{algorithm}</span> · <span>{t(`signing.statuses.${status}`)}</span>
            </Text>
          </Cell>
          <Cell>
            {mayChange && (status === 'previously_used' || status === 'standby') ? (
              <Button
                size="xs"
                variant="default"
                aria-label={t('signing.revokeNamed', { kid })}
                onClick={() =>
                  confirm({
                    title: t('signing.revokeTitle'),
                    text: t('signing.revokeText', { kid }),
                    action: t('signing.revoke'),
                    onConfirm: () => revoke.mutate({ action: 'revoke', kid }),
                  })
                }
              >
                {t('signing.revoke')}
              </Button>
            ) : null}
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

/** A new key is on standby first, so that every server knows it before it signs. */
function Rotation({ keys }: { keys: KeySummary }) {
  const { t } = useTranslation('settings')
  const standby = useChange(t('signing.added'))
  const rotate = useChange(t('signing.rotated'))
  const hasStandby = keys.signing.some(({ status }) => status === 'standby')
  return (
    <Group gap="xs">
      <Button
        variant="default"
        disabled={hasStandby}
        loading={standby.isPending}
        onClick={() => standby.mutate({ action: 'standby' })}
      >
        {t('signing.add')}
      </Button>
      <Button
        variant="default"
        loading={rotate.isPending}
        onClick={() =>
          confirm({
            title: t('signing.rotateTitle'),
            text: t('signing.rotateText'),
            action: t('signing.rotate'),
            onConfirm: () => rotate.mutate({ action: 'rotate' }),
          })
        }
      >
        {t('signing.rotate')}
      </Button>
    </Group>
  )
}
