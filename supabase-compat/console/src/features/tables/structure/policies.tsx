import { Badge, Group, Switch, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Policy } from '@/postgres/catalog'
import { dropPolicySql, rowSecuritySql } from '../definition'
import classes from '../tables.module.css'
import { AddButton, EmptyNote, LineMenu, Lines, Section, type SectionProps } from './parts'

const COMMANDS: Record<string, string> = { r: 'select', a: 'insert', w: 'update', d: 'delete', '*': 'all' }

export function Policies({ relation, canAlter, prepare, setForm }: SectionProps) {
  const { t } = useTranslation('tables')
  return (
    <Section
      title={t('structure.policies')}
      action={
        canAlter ? (
          <Group gap="sm">
            <Switch
              size="sm"
              label={t('security.label')}
              checked={relation.row_security}
              onChange={() =>
                prepare(
                  t('security.label'),
                  rowSecuritySql(relation, !relation.row_security),
                  relation.row_security ? t('security.offWarning') : undefined,
                )
              }
            />
            <AddButton label={t('policy.add')} onClick={() => setForm({ kind: 'policy' })} />
          </Group>
        ) : null
      }
    >
      {relation.policies.length === 0 ? (
        <EmptyNote />
      ) : (
        <PolicyLines
          policies={relation.policies}
          label={t('structure.policies')}
          onEdit={canAlter ? (policy) => setForm({ kind: 'policy', policy }) : null}
          onDrop={(policy) => prepare(t('policy.drop'), dropPolicySql(relation, policy.name))}
        />
      )}
    </Section>
  )
}

interface PolicyLinesProps {
  policies: readonly Policy[]
  label: string
  /** Null if the policies cannot be changed. */
  onEdit: ((policy: Policy) => void) | null
  onDrop: (policy: Policy) => void
  /** A note after the name. */
  note?: (policy: Policy) => ReactNode
}

/** Policies, one a line. */
export function PolicyLines({ policies, label, onEdit, onDrop, note }: PolicyLinesProps) {
  const { t } = useTranslation('tables')
  return (
    <Lines label={label} headings={[t('policy.name'), t('policy.command'), t('policy.roles'), t('policy.conditions')]}>
      {policies.map((policy) => (
        <Table.Tr key={policy.name}>
          <Table.Td>
            {policy.name}
            {policy.permissive ? null : (
              <Badge ml={6} size="xs" variant="default">
                restrictive
              </Badge>
            )}
            {note?.(policy)}
          </Table.Td>
          <Table.Td className={classes.code}>{COMMANDS[policy.command]}</Table.Td>
          <Table.Td className={classes.code}>{policy.roles.join(', ')}</Table.Td>
          <Table.Td className={classes.code}>
            {policy.using ? <div>using {policy.using}</div> : null}
            {policy.check ? <div>with check {policy.check}</div> : null}
          </Table.Td>
          <Table.Td>
            {onEdit ? (
              <LineMenu
                name={policy.name}
                actions={[
                  { label: t('policy.edit'), onClick: () => onEdit(policy) },
                  { label: t('policy.drop'), isDangerous: true, onClick: () => onDrop(policy) },
                ]}
              />
            ) : null}
          </Table.Td>
        </Table.Tr>
      ))}
    </Lines>
  )
}
