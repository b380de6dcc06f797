import { Button, Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Role } from '@/api/session'
import { useFormats } from '@/i18n/format'
import { CopyLine } from '@/ui/code-block'
import { inviteOperator, ROLES } from './api'

/** Creates an invitation; its link is shown once, because only its hash is stored. */
export function InvitationDialog() {
  const { t } = useTranslation(['operators', 'shell'])
  const formats = useFormats()
  const [role, setRole] = useState<Role>('developer')
  const invitation = useMutation({ mutationFn: inviteOperator })
  if (invitation.data)
    return (
      <Stack gap="sm">
        <Text size="sm">{t('operators:invite.made', { moment: formats.dateTime(invitation.data.expires_at) })}</Text>
        <CopyLine value={invitation.data.url} label={t('operators:invite.link')} />
      </Stack>
    )
  return (
    <Stack gap="md">
      <Radio.Group label={t('operators:invite.role')} value={role} onChange={(value) => setRole(value as Role)}>
        <Stack gap="sm" mt="xs">
          {ROLES.map((one) => (
            <Radio key={one} value={one} label={t(`shell:roles.${one}`)} description={t(`operators:may.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Button loading={invitation.isPending} onClick={() => invitation.mutate(role)}>
        {t('operators:invite.make')}
      </Button>
    </Stack>
  )
}
