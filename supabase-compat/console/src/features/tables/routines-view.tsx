/**
 * Functions of a schema, with forms that create and change them by statements that are shown
 * beforehand.
 */
import { Badge, Stack, Table, Text } from '@mantine/core'
import { IconMathFunction } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayChange } from '@/app/session'
import { catalogKeys } from '@/postgres/relations'
import { SqlPreview, type PreparedSql } from '@/ui/sql-preview'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { dropRoutineSql, routinesQuery, type Routine } from './routine'
import { RoutineForm } from './routine-form'
import { AddButton, LineMenu, Lines, Section } from './structure/parts'
import classes from './tables.module.css'

export function RoutinesView({ schema }: { schema: string }) {
  const { t } = useTranslation('tables')
  const client = useQueryClient()
  const mayChange = useMayChange()
  const routines = useQuery(routinesQuery(schema))
  const [form, setForm] = useState<{ routine?: Routine } | null>(null)
  const [prepared, setPrepared] = useState<PreparedSql | null>(null)
  const prepare = (title: string, sql: string, warning?: string): void => {
    setForm(null)
    setPrepared({ title, sql, ...(warning ? { warning } : {}) })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.structure} tabIndex={0} role="region" aria-label={t('routine.title', { schema })}>
      <Stack gap="lg" pb="xl">
        <Section
          title={t('routine.all')}
          action={mayChange ? <AddButton label={t('routine.add')} onClick={() => setForm({})} /> : null}
        >
          {routines.isPending ? (
            <SkeletonRows rows={6} />
          ) : routines.isError ? (
            <ErrorState error={routines.error} onRetry={() => void routines.refetch()} />
          ) : routines.data.length === 0 ? (
            <EmptyState icon={IconMathFunction} title={t('routine.none')} />
          ) : (
            <Lines
              label={t('routine.all')}
              headings={[t('column.name'), t('routine.arguments'), t('routine.returns'), t('routine.language')]}
            >
              {routines.data.map((routine) => (
                <Table.Tr key={routine.id}>
                  <Table.Td>
                    <Text size="sm" fw={500}>
                      {routine.name}{' '}
                      {routine.security_definer ? (
                        <Badge size="xs" variant="default">
                          security definer
                        </Badge>
                      ) : null}
                    </Text>
                    {routine.comment ? (
                      <Text size="xs" c="dimmed">
                        {routine.comment}
                      </Text>
                    ) : null}
                  </Table.Td>
                  <Table.Td className={classes.code}>{routine.arguments}</Table.Td>
                  <Table.Td className={classes.code}>{routine.returns}</Table.Td>
                  <Table.Td className={classes.code}>{routine.extension ?? routine.language}</Table.Td>
                  <Table.Td>
                    {mayChange && routine.extension === null ? (
                      <LineMenu
                        name={routine.name}
                        actions={[
                          { label: t('routine.change'), onClick: () => setForm({ routine }) },
                          {
                            label: t('routine.drop'),
                            isDangerous: true,
                            onClick: () =>
                              prepare(t('routine.drop'), dropRoutineSql(routine), t('routine.dropWarning')),
                          },
                        ]}
                      />
                    ) : null}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Lines>
          )}
        </Section>
      </Stack>
      {form ? (
        <RoutineForm schema={schema} routine={form.routine} onClose={() => setForm(null)} onPrepare={prepare} />
      ) : null}
      <SqlPreview
        prepared={prepared}
        onClose={() => setPrepared(null)}
        onDone={() => void client.invalidateQueries({ queryKey: catalogKeys.all })}
      />
    </div>
  )
}
