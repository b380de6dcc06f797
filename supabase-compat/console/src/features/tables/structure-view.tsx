/**
 * The structure of a table, advice, and forms that change it by statements that are shown
 * beforehand.
 */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useMayChange } from '@/app/session'
import type { Relation } from '@/postgres/catalog'
import { catalogKeys } from '@/postgres/relations'
import { SqlPreview, type PreparedSql } from '@/ui/sql-preview'
import { adviceOf } from './advice'
import { ColumnForm } from './column-form'
import { dropTableSql } from './definition'
import { IndexForm } from './index-form'
import { PolicyForm } from './policy-form'
import { tableTemplates } from './policy-templates'
import { AdviceList } from './structure/advice-list'
import { Columns } from './structure/columns'
import { Constraints } from './structure/constraints'
import { Indexes } from './structure/indexes'
import type { OpenForm } from './structure/parts'
import { Policies } from './structure/policies'
import { Triggers } from './structure/triggers'
import { TableSettings } from './table-settings'
import classes from './tables.module.css'
import { TriggerForm } from './trigger-form'

export function StructureView({ relation }: { relation: Relation }) {
  const { t } = useTranslation('tables')
  const client = useQueryClient()
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const [prepared, setPrepared] = useState<PreparedSql | null>(null)
  const [form, setForm] = useState<OpenForm | null>(null)
  const isTable = relation.kind === 'table' || relation.kind === 'partitioned'
  const canAlter = mayChange && isTable
  const prepare = (title: string, sql: string, warning?: string): void => {
    setForm(null)
    setPrepared({ title, sql, ...(warning ? { warning } : {}) })
  }
  const [leavesTo, setLeavesTo] = useState<string | null>(null)
  const onDone = (): void => {
    void client.invalidateQueries({ queryKey: catalogKeys.all })
    void client.invalidateQueries({ queryKey: ['rows', relation.schema, relation.name] })
    if (leavesTo) void navigate(leavesTo)
  }
  const sections = { relation, canAlter, prepare, setForm }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.structure} tabIndex={0} role="region" aria-label={t('view.structure')}>
      <Stack gap="lg" pb="xl">
        <AdviceList advice={adviceOf(relation)} />
        <Group justify="space-between">
          <Text size="sm" c={relation.comment ? undefined : 'dimmed'}>
            {relation.comment ?? t('structure.noComment')}
          </Text>
          {mayChange ? (
            <Group gap="xs">
              {canAlter ? (
                <Button size="xs" variant="default" onClick={() => setForm({ kind: 'settings' })}>
                  {t('structure.settings')}
                </Button>
              ) : null}
              <Button
                size="xs"
                variant="default"
                color="red"
                onClick={() => {
                  setLeavesTo('/tables')
                  prepare(
                    t('structure.drop', { name: relation.name }),
                    dropTableSql(relation),
                    t('structure.dropWarning'),
                  )
                }}
              >
                {t('structure.dropTable')}
              </Button>
            </Group>
          ) : null}
        </Group>
        <Columns {...sections} />
        {isTable ? <Policies {...sections} /> : null}
        <Constraints {...sections} />
        <Indexes {...sections} />
        <Triggers {...sections} />
      </Stack>
      <SqlPreview
        prepared={prepared}
        onClose={() => {
          setPrepared(null)
          setLeavesTo(null)
        }}
        onDone={onDone}
      />
      {form?.kind === 'column' ? (
        <ColumnForm relation={relation} column={form.column} onClose={() => setForm(null)} onPrepare={prepare} />
      ) : null}
      {form?.kind === 'index' ? (
        <IndexForm relation={relation} onClose={() => setForm(null)} onPrepare={prepare} />
      ) : null}
      {form?.kind === 'trigger' ? (
        <TriggerForm relation={relation} trigger={form.trigger} onClose={() => setForm(null)} onPrepare={prepare} />
      ) : null}
      {form?.kind === 'policy' ? (
        <PolicyForm
          relation={relation}
          policy={form.policy}
          templates={tableTemplates(relation, t)}
          onClose={() => setForm(null)}
          onPrepare={prepare}
        />
      ) : null}
      {form?.kind === 'settings' ? (
        <TableSettings
          relation={relation}
          onClose={() => setForm(null)}
          onPrepare={(title, sql, name) => {
            if (name !== relation.name)
              setLeavesTo(`/tables/${encodeURIComponent(relation.schema)}/${encodeURIComponent(name)}?view=structure`)
            prepare(title, sql)
          }}
        />
      ) : null}
    </div>
  )
}
