/** The operators of this console and their roles. */
import { ActionIcon, Button, NativeSelect, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconShieldCheck, IconTrash, IconUserPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Role } from '@/api/session'
import { useSession } from '@/app/session'
import { confirm } from '@/ui/confirm'
import { Cell, ListTable } from '@/ui/list-table'
import { notify } from '@/ui/notify'
import { ScreenFrame } from '@/ui/screen'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { changeRole, operatorsQuery, removeOperator, ROLES, type OperatorRow } from './api'
import { InvitationDialog } from './invitation-dialog'

export function Screen() {
  const { t } = useTranslation('operators')
  const operators = useQuery(operatorsQuery)
  return (
    <ScreenFrame
      title={t('title')}
      description={t('description')}
      actions={
        <Button
          leftSection={<IconUserPlus size={16} />}
          onClick={() => modals.open({ title: t('invite.title'), centered: true, children: <InvitationDialog /> })}
        >
          {t('invite.open')}
        </Button>
      }
    >
      {operators.isPending ? (
        <SkeletonRows rows={3} height={44} />
      ) : operators.isError ? (
        <ErrorState error={operators.error} onRetry={() => void operators.refetch()} />
      ) : (
        <ListTable
          label={t('title')}
          columns={[
            { key: 'email', label: t('email') },
            { key: 'role', label: t('role'), width: 150 },
            { key: 'factor', label: t('factor'), width: 140, from: 'sm' },
            { key: 'seen', label: t('seen'), width: 140, from: 'sm' },
            { key: 'remove', label: <VisuallyHidden>{t('actions')}</VisuallyHidden>, width: 56 },
          ]}
        >
          {operators.data.map((operator) => (
            <Operator key={operator.id} operator={operator} />
          ))}
        </ListTable>
      )}
    </ScreenFrame>
  )
}

function Operator({ operator }: { operator: OperatorRow }) {
  const { t } = useTranslation(['operators', 'shell'])
  const client = useQueryClient()
  const self = useSession().operator
  const refetch = () => client.invalidateQueries({ queryKey: operatorsQuery.queryKey })
  const change = useMutation({ mutationFn: changeRole, onSettled: refetch })
  const remove = useMutation({
    mutationFn: removeOperator,
    onSuccess: () => notify(t('operators:removed', { email: operator.email })),
    onSettled: refetch,
  })
  return (
    <tr>
      <Cell title={operator.email}>
        <Text size="sm" truncate>
          {operator.email}
        </Text>
        {operator.id === self.id ? (
          <Text size="xs" c="dimmed">
            {t('operators:you')}
          </Text>
        ) : null}
      </Cell>
      <Cell>
        <NativeSelect
          size="xs"
          aria-label={t('operators:roleOf', { email: operator.email })}
          value={change.isPending ? change.variables.role : operator.role}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ id: operator.id, role: event.currentTarget.value as Role })}
          data={ROLES.map((role) => ({ value: role, label: t(`shell:roles.${role}`) }))}
        />
      </Cell>
      <Cell from="sm">
        {operator.second_factor ? (
          <>
            <IconShieldCheck size={15} aria-hidden style={{ verticalAlign: -2 }} /> {t('operators:factorOn')}
          </>
        ) : (
          <Text span size="sm" c="dimmed">
            {t('operators:factorOff')}
          </Text>
        )}
      </Cell>
      <Cell from="sm">
        <When at={operator.last_seen_at} />
      </Cell>
      <Cell>
        <Tooltip label={t('operators:remove')}>
          <ActionIcon
            variant="subtle"
            color="red"
            loading={remove.isPending}
            aria-label={t('operators:removeNamed', { email: operator.email })}
            onClick={() =>
              confirm({
                title: t('operators:removeTitle', { email: operator.email }),
                text: t('operators:removeText'),
                action: t('operators:remove'),
                onConfirm: () => remove.mutate(operator.id),
              })
            }
          >
            <IconTrash size={17} />
          </ActionIcon>
        </Tooltip>
      </Cell>
    </tr>
  )
}
