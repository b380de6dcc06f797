/** Functions: the list, a form that calls one, its output, and the secrets of all. */
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconBolt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import { Cell, linkClass, ListTable, rowClass } from '@/ui/list-table'
import { ScreenFrame } from '@/ui/screen'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { When } from '@/ui/when'
import { functionsQuery, type FunctionRow } from './api'
import { CallForm } from './call-form'
import { FunctionLog } from './function-log'
import { Secrets } from './secrets'

export function Screen() {
  const { name } = useParams()
  return name === undefined ? <FunctionList /> : <FunctionView key={name} name={name} />
}

function FunctionList() {
  const { t } = useTranslation('functions')
  const functions = useQuery(functionsQuery)
  return (
    <ScreenFrame title={t('title')} description={t('description')}>
      {functions.isPending ? (
        <SkeletonRows rows={5} height={48} />
      ) : functions.isError ? (
        <ErrorState error={functions.error} onRetry={() => void functions.refetch()} />
      ) : (
        <Stack gap="md">
          {functions.data.missing ? (
            <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={t('missing')}>
              {functions.data.missing}
            </Alert>
          ) : null}
          {functions.data.functions.length === 0 ? (
            <EmptyState
              icon={IconBolt}
              title={t('none.title')}
              text={functions.data.has_folder ? t('none.text') : t('none.noFolder')}
            />
          ) : (
            <FunctionTable functions={functions.data.functions} />
          )}
          <Secrets />
        </Stack>
      )}
    </ScreenFrame>
  )
}

function FunctionTable({ functions }: { functions: FunctionRow[] }) {
  const { t } = useTranslation('functions')
  const { milliseconds, size } = useFormats()
  return (
    <ListTable
      label={t('title')}
      columns={[
        { key: 'name', label: t('name') },
        { key: 'status', label: t('lastStatus'), width: 110 },
        { key: 'time', label: t('time'), width: 110, from: 'sm' },
        { key: 'memory', label: t('memory'), width: 120, from: 'md' },
        { key: 'called', label: t('called'), width: 140, from: 'sm', isEnd: true },
      ]}
    >
      {functions.map((one) => (
        <tr key={one.name} className={rowClass}>
          <Cell title={one.name}>
            <Link to={`/functions/${encodeURIComponent(one.name)}`} className={linkClass}>
              {one.name}
            </Link>
          </Cell>
          <Cell>
            {one.last_status === null ? (
              <Text span size="sm" c="dimmed">
                {t('never')}
              </Text>
            ) : (
              <Badge variant="light" color={one.last_status < 400 ? 'green' : 'red'}>
                {one.last_status}
              </Badge>
            )}
          </Cell>
          <Cell from="sm">{one.last_took_ms === null ? '–' : milliseconds(one.last_took_ms)}</Cell>
          <Cell from="md">{one.process?.running ? size(one.process.memory_bytes) : '–'}</Cell>
          <Cell from="sm" isEnd>
            <When at={one.last_called_at} />
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function FunctionView({ name }: { name: string }) {
  const { t } = useTranslation('functions')
  const mayCall = useMayChange()
  return (
    <ScreenFrame
      title={name}
      description={t('one')}
      actions={
        <Button component={Link} to="/functions" variant="default" leftSection={<IconArrowLeft size={16} />}>
          {t('all')}
        </Button>
      }
    >
      <Stack gap="md">
        {mayCall ? (
          <CallForm name={name} />
        ) : (
          <Group>
            <Text size="sm" c="dimmed">
              {t('call.forbidden')}
            </Text>
          </Group>
        )}
        <FunctionLog name={name} />
      </Stack>
    </ScreenFrame>
  )
}
