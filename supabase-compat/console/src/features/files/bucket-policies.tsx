/**
 * The policies of storage.objects for a bucket, created and changed by statements that are shown
 * beforehand.
 */
import { Badge, Drawer, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { dropPolicySql } from '@/features/tables/definition'
import { PolicyForm } from '@/features/tables/policy-form'
import { AddButton } from '@/features/tables/structure/parts'
import { PolicyLines } from '@/features/tables/structure/policies'
import type { Policy, Relation } from '@/postgres/catalog'
import { catalogKeys, relationQuery } from '@/postgres/relations'
import { SqlPreview, type PreparedSql } from '@/ui/sql-preview'
import { ErrorState, SkeletonRows } from '@/ui/states'
import { bucketsOf, bucketTemplates } from './bucket-policy'

interface Props {
  bucket: string
  isPublic: boolean
  onClose: () => void
}

export function BucketPolicies({ bucket, isPublic, onClose }: Props) {
  const { t } = useTranslation('files')
  const objects = useQuery(relationQuery('storage', 'objects'))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={t('policies.title', { bucket })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{isPublic ? t('policies.publicHelp') : t('policies.help')}</Text>
        {objects.isPending ? (
          <SkeletonRows rows={3} />
        ) : objects.isError ? (
          <ErrorState error={objects.error} onRetry={() => void objects.refetch()} />
        ) : objects.data ? (
          <Policies bucket={bucket} objects={objects.data} />
        ) : (
          <Text size="sm">{t('policies.unreadable')}</Text>
        )}
      </Stack>
    </Drawer>
  )
}

function Policies({ bucket, objects }: { bucket: string; objects: Relation }) {
  const { t } = useTranslation(['files', 'tables'])
  const client = useQueryClient()
  const mayChange = useMayChange()
  const [form, setForm] = useState<{ policy?: Policy } | null>(null)
  const [prepared, setPrepared] = useState<PreparedSql | null>(null)
  const prepare = (title: string, sql: string): void => {
    setForm(null)
    setPrepared({ title, sql })
  }
  const visible = objects.policies.filter((policy) => bucketsOf(policy)?.includes(bucket) ?? true)
  const hidden = objects.policies.length - visible.length
  return (
    <>
      {visible.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('policies.none')}
        </Text>
      ) : (
        <PolicyLines
          policies={visible}
          label={t('policies.title', { bucket })}
          onEdit={mayChange ? (policy) => setForm({ policy }) : null}
          onDrop={(policy) => prepare(t('tables:policy.drop'), dropPolicySql(objects, policy.name))}
          note={(policy) =>
            bucketsOf(policy) ? null : (
              <Badge ml={6} size="xs" variant="default">
                {t('policies.unconfined')}
              </Badge>
            )
          }
        />
      )}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {hidden > 0 ? t('policies.others', { count: hidden }) : null}
        </Text>
        {mayChange ? <AddButton label={t('tables:policy.add')} onClick={() => setForm({})} /> : null}
      </Group>
      {form ? (
        <PolicyForm
          relation={objects}
          policy={form.policy}
          templates={bucketTemplates(bucket, t)}
          onClose={() => setForm(null)}
          onPrepare={prepare}
        />
      ) : null}
      <SqlPreview
        prepared={prepared}
        onClose={() => setPrepared(null)}
        onDone={() => void client.invalidateQueries({ queryKey: catalogKeys.all })}
      />
    </>
  )
}
