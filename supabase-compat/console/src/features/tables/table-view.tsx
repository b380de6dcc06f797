/** One table: its rows or its structure. */
import { Badge, Group, SegmentedControl, Text } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import type { Relation } from '@/postgres/catalog'
import { relationQuery } from '@/postgres/relations'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { RowsView } from './rows-view'
import { useTableAddress, type View } from './use-table-address'
import { ViewerRows } from './viewer-rows'

const StructureView = lazy(() => import('./structure-view').then((module) => ({ default: module.StructureView })))

export function TableView({ schema, name }: { schema: string; name: string }) {
  const { t } = useTranslation('tables')
  const relation = useQuery(relationQuery(schema, name))
  const [address] = useTableAddress()
  if (relation.isPending) return <SkeletonRows rows={12} height={32} />
  if (relation.isError) return <ErrorState error={relation.error} onRetry={() => void relation.refetch()} />
  if (!relation.data)
    return <EmptyState icon={IconTable} title={t('missing.title', { name })} text={t('missing.text', { schema })} />
  return (
    <>
      <TableHeader relation={relation.data} />
      {address.view === 'structure' ? (
        <Suspense fallback={<SkeletonRows />}>
          <StructureView relation={relation.data} />
        </Suspense>
      ) : address.viewer.kind === 'owner' ? (
        <RowsView relation={relation.data} />
      ) : (
        <ViewerRows relation={relation.data} />
      )}
    </>
  )
}

function TableHeader({ relation }: { relation: Relation }) {
  const { t } = useTranslation('tables')
  const { size } = useFormats()
  const [address, change] = useTableAddress()
  const isTable = relation.kind === 'table' || relation.kind === 'partitioned'
  return (
    <Group gap="sm" justify="space-between">
      <SegmentedControl
        size="xs"
        aria-label={t('view.label')}
        value={address.view}
        onChange={(view) => change({ view: view as View })}
        data={[
          { value: 'rows', label: t('view.rows') },
          { value: 'structure', label: t('view.structure') },
        ]}
      />
      <Group gap="xs">
        {isTable ? null : <Badge variant="default">{t('kind.view')}</Badge>}
        {isTable ? (
          <Badge
            variant="default"
            tt="none"
            c={relation.row_security ? 'var(--console-good)' : 'var(--console-warning)'}
          >
            {relation.row_security ? t('security.on', { count: relation.policies.length }) : t('security.off')}
          </Badge>
        ) : null}
        {relation.bytes > 0 ? (
          <Text size="xs" c="dimmed">
            {size(relation.bytes)}
          </Text>
        ) : null}
      </Group>
    </Group>
  )
}
