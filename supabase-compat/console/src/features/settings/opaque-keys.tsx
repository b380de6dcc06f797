/**
 * The opaque keys of applications: a new one replaces the one in use, which stays valid until it is
 * revoked.
 */
import { Button, Modal, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirm } from '@/ui/confirm'
import { Cell, ListTable } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { keysQuery, replaceOpaqueKey, revokeOpaqueKey, type KeySummary, type OpaqueKeyName } from './api'
import { Reveal } from './reveal'

export function OpaqueKeys({ keys, mayChange }: { keys: KeySummary; mayChange: boolean }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const [replaced, setReplaced] = useState<OpaqueKeyName | null>(null)
  const reload = () => client.invalidateQueries({ queryKey: keysQuery.queryKey })
  const revoke = useMutation({
    mutationFn: revokeOpaqueKey,
    onSuccess: () => notify(t('opaque.revoked')),
    onSettled: reload,
  })
  if (keys.opaque.length === 0) return null
  return (
    <Stack gap="sm">
      <div>
        <Title order={3} size="h6">
          {t('opaque.title')}
        </Title>
        <Text size="sm" c="dimmed" maw="75ch">
          {t('opaque.text')}
        </Text>
      </div>
      <ListTable
        label={t('opaque.title')}
        isWrapped
        columns={[
          { key: 'id', label: t('signing.kid') },
          { key: 'actions', label: <VisuallyHidden>{t('signing.actions')}</VisuallyHidden>, width: 120 },
        ]}
      >
        {keys.opaque.map(({ name, id, status }) => (
          <tr key={id}>
            <Cell>
              <span className="mono" style={{ overflowWrap: 'anywhere' }}>
                {id}…
              </span>
              <Text size="xs" c="dimmed">
                {t(`signing.statuses.${status}`)}
              </Text>
            </Cell>
            <Cell>
              {!mayChange ? null : status === 'in_use' ? (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('opaque.replaceNamed', { id })}
                  onClick={() => setReplaced(name)}
                >
                  {t('opaque.replace')}
                </Button>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('signing.revokeNamed', { kid: id })}
                  onClick={() =>
                    confirm({
                      title: t('signing.revokeTitle'),
                      text: t('opaque.revokeText', { id }),
                      action: t('signing.revoke'),
                      onConfirm: () => revoke.mutate(id),
                    })
                  }
                >
                  {t('signing.revoke')}
                </Button>
              )}
            </Cell>
          </tr>
        ))}
      </ListTable>
      <Modal
        opened={replaced !== null}
        onClose={() => setReplaced(null)}
        title={replaced ? t(`opaque.replaceTitle.${replaced}`) : ''}
        closeButtonProps={{ 'aria-label': t('keys.close') }}
        centered
      >
        {replaced ? (
          <Reveal
            label={t(`opaque.replaceTitle.${replaced}`)}
            help={t('opaque.passwordHelp')}
            action={t('opaque.replace')}
            load={async (password) => {
              const created = await replaceOpaqueKey({ name: replaced, password })
              await reload()
              return created
            }}
          />
        ) : null}
      </Modal>
    </Stack>
  )
}
