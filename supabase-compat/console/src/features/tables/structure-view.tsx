/** What a table is made of, advice on it, and forms that change it by statements shown beforehand. */
import { ActionIcon, Alert, Badge, Button, Group, Menu, Stack, Switch, Table, Text, Title } from '@mantine/core'
import { IconBulb, IconDots, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useMayChange } from '@/app/session'
import { useFormats } from '@/i18n/format'
import type { Column, Policy, Relation } from '@/postgres/catalog'
import { catalogKeys } from '@/postgres/relations'
import { adviceOf, type Advice } from './advice'
import { ColumnForm } from './column-form'
import {
  dropColumnSql,
  dropConstraintSql,
  dropIndexSql,
  dropPolicySql,
  dropTableSql,
  dropTriggerSql,
  rowSecuritySql,
  switchTriggerSql,
} from './definition'
import { IndexForm } from './index-form'
import { PolicyForm } from './policy-form'
import { SqlPreview, type PreparedSql } from './sql-preview'
import classes from './tables.module.css'
import { TableSettings } from './table-settings'

type OpenForm =
  { kind: 'column'; column?: Column } | { kind: 'index' } | { kind: 'policy'; policy?: Policy } | { kind: 'settings' }

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
      {form?.kind === 'policy' ? (
        <PolicyForm relation={relation} policy={form.policy} onClose={() => setForm(null)} onPrepare={prepare} />
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

interface SectionProps {
  relation: Relation
  canAlter: boolean
  prepare: (title: string, sql: string, warning?: string) => void
  setForm: (form: OpenForm) => void
}

function AdviceList({ advice }: { advice: Advice[] }) {
  const { t } = useTranslation('tables')
  const textOf = (one: Advice): string => {
    switch (one.name) {
      case 'no_row_security':
        return t('advice.no_row_security', { roles: one.roles.join(', ') })
      case 'policies_off':
        return t('advice.policies_off', { count: one.count })
      case 'open_policy':
        return t('advice.open_policy', { policy: one.policy })
      case 'function_per_row':
        return t('advice.function_per_row', { policy: one.policy })
      case 'foreign_key_without_index':
        return t('advice.foreign_key_without_index', { columns: one.columns.join(', ') })
      case 'invalid_index':
        return t('advice.invalid_index', { index: one.index })
      case 'no_policies':
        return t('advice.no_policies')
      default:
        return t('advice.no_key')
    }
  }
  if (advice.length === 0) return null
  return (
    <Stack gap={6}>
      {advice.map((one) => (
        <Alert
          key={JSON.stringify(one)}
          color={one.name === 'no_row_security' || one.name === 'open_policy' ? 'red' : 'yellow'}
          icon={<IconBulb size={18} />}
          py={8}
        >
          {textOf(one)}
        </Alert>
      ))}
    </Stack>
  )
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={6} mih={30}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </section>
  )
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="xs" variant="light" leftSection={<IconPlus size={14} />} onClick={onClick}>
      {label}
    </Button>
  )
}

function Lines({ label, headings, children }: { label: string; headings: string[]; children: ReactNode }) {
  return (
    <Table.ScrollContainer
      minWidth={560}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } }}
    >
      <Table withTableBorder fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            {headings.map((heading) => (
              <Table.Th key={heading}>{heading}</Table.Th>
            ))}
            <Table.Td w={44} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface LineAction {
  label: string
  isDangerous?: boolean
  onClick: () => void
}

function LineMenu({ name, actions }: { name: string; actions: LineAction[] }) {
  const { t } = useTranslation('tables')
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('structure.actions', { name })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, isDangerous, onClick }) => (
          <Menu.Item key={label} color={isDangerous ? 'red' : undefined} onClick={onClick}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Columns({ relation, canAlter, prepare, setForm }: SectionProps) {
  const { t } = useTranslation('tables')
  return (
    <Section
      title={t('structure.columns')}
      action={canAlter ? <AddButton label={t('column.add')} onClick={() => setForm({ kind: 'column' })} /> : null}
    >
      <Lines
        label={t('structure.columns')}
        headings={[t('column.name'), t('column.type'), t('column.default'), t('column.comment')]}
      >
        {relation.columns.map((column) => (
          <Table.Tr key={column.name}>
            <Table.Td>
              <Group gap={6} wrap="nowrap">
                <Text size="sm" fw={500}>
                  {column.name}
                </Text>
                {relation.key.includes(column.name) ? <Badge size="xs">{t('column.key')}</Badge> : null}
                {column.nullable ? null : (
                  <Badge size="xs" variant="default">
                    not null
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td className={classes.code}>{column.type}</Table.Td>
            <Table.Td className={classes.code}>
              {column.identity ? 'identity' : column.generated ? 'generated' : (column.default ?? '')}
            </Table.Td>
            <Table.Td c="dimmed">{column.comment}</Table.Td>
            <Table.Td>
              {canAlter ? (
                <LineMenu
                  name={column.name}
                  actions={[
                    { label: t('column.edit'), onClick: () => setForm({ kind: 'column', column }) },
                    {
                      label: t('column.drop'),
                      isDangerous: true,
                      onClick: () =>
                        prepare(t('column.drop'), dropColumnSql(relation, column.name), t('column.dropWarning')),
                    },
                  ]}
                />
              ) : null}
            </Table.Td>
          </Table.Tr>
        ))}
      </Lines>
    </Section>
  )
}

const COMMANDS: Record<string, string> = { r: 'select', a: 'insert', w: 'update', d: 'delete', '*': 'all' }

function Policies({ relation, canAlter, prepare, setForm }: SectionProps) {
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
        <Nothing />
      ) : (
        <Lines
          label={t('structure.policies')}
          headings={[t('policy.name'), t('policy.command'), t('policy.roles'), t('policy.conditions')]}
        >
          {relation.policies.map((policy) => (
            <Table.Tr key={policy.name}>
              <Table.Td>
                {policy.name}
                {policy.permissive ? null : (
                  <Badge ml={6} size="xs" variant="default">
                    restrictive
                  </Badge>
                )}
              </Table.Td>
              <Table.Td className={classes.code}>{COMMANDS[policy.command]}</Table.Td>
              <Table.Td className={classes.code}>{policy.roles.join(', ')}</Table.Td>
              <Table.Td className={classes.code}>
                {policy.using ? <div>using {policy.using}</div> : null}
                {policy.check ? <div>with check {policy.check}</div> : null}
              </Table.Td>
              <Table.Td>
                {canAlter ? (
                  <LineMenu
                    name={policy.name}
                    actions={[
                      { label: t('policy.edit'), onClick: () => setForm({ kind: 'policy', policy }) },
                      {
                        label: t('policy.drop'),
                        isDangerous: true,
                        onClick: () => prepare(t('policy.drop'), dropPolicySql(relation, policy.name)),
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
  )
}

function Constraints({ relation, canAlter, prepare }: SectionProps) {
  const { t } = useTranslation('tables')
  if (relation.constraints.length === 0) return null
  return (
    <Section title={t('structure.constraints')}>
      <Lines label={t('structure.constraints')} headings={[t('column.name'), t('structure.definition')]}>
        {relation.constraints.map((constraint) => (
          <Table.Tr key={constraint.name}>
            <Table.Td>{constraint.name}</Table.Td>
            <Table.Td className={classes.code}>{constraint.definition}</Table.Td>
            <Table.Td>
              {canAlter ? (
                <LineMenu
                  name={constraint.name}
                  actions={[
                    {
                      label: t('structure.dropConstraint'),
                      isDangerous: true,
                      onClick: () =>
                        prepare(t('structure.dropConstraint'), dropConstraintSql(relation, constraint.name)),
                    },
                  ]}
                />
              ) : null}
            </Table.Td>
          </Table.Tr>
        ))}
      </Lines>
    </Section>
  )
}

function Indexes({ relation, canAlter, prepare, setForm }: SectionProps) {
  const { t } = useTranslation('tables')
  const { size, number } = useFormats()
  const hasOwnIndexes = canAlter || relation.kind === 'materialized'
  if (!hasOwnIndexes && relation.indexes.length === 0) return null
  return (
    <Section
      title={t('structure.indexes')}
      action={canAlter ? <AddButton label={t('index.add')} onClick={() => setForm({ kind: 'index' })} /> : null}
    >
      {relation.indexes.length === 0 ? (
        <Nothing />
      ) : (
        <Lines
          label={t('structure.indexes')}
          headings={[t('column.name'), t('structure.definition'), t('index.size'), t('index.scans')]}
        >
          {relation.indexes.map((index) => {
            const isOfConstraint = relation.constraints.some(({ name }) => name === index.name)
            return (
              <Table.Tr key={index.name}>
                <Table.Td>{index.name}</Table.Td>
                <Table.Td className={classes.code}>
                  {index.definition.replace(/^CREATE (UNIQUE )?INDEX \S+ ON \S+ /, '$1')}
                </Table.Td>
                <Table.Td>{size(index.bytes)}</Table.Td>
                <Table.Td>{number(index.scans)}</Table.Td>
                <Table.Td>
                  {canAlter && !isOfConstraint ? (
                    <LineMenu
                      name={index.name}
                      actions={[
                        {
                          label: t('index.drop'),
                          isDangerous: true,
                          onClick: () => prepare(t('index.drop'), dropIndexSql(relation, index.name)),
                        },
                      ]}
                    />
                  ) : null}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Lines>
      )}
    </Section>
  )
}

function Triggers({ relation, canAlter, prepare }: SectionProps) {
  const { t } = useTranslation('tables')
  if (relation.triggers.length === 0) return null
  return (
    <Section title={t('structure.triggers')}>
      <Lines label={t('structure.triggers')} headings={[t('column.name'), t('structure.definition')]}>
        {relation.triggers.map((trigger) => {
          const isOn = trigger.enabled !== 'D'
          return (
            <Table.Tr key={trigger.name}>
              <Table.Td>
                {trigger.name}
                {isOn ? null : (
                  <Badge ml={6} size="xs" variant="default">
                    {t('trigger.off')}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td className={classes.code}>
                {trigger.definition.replace(/^CREATE (CONSTRAINT )?TRIGGER \S+ /, '')}
              </Table.Td>
              <Table.Td>
                {canAlter ? (
                  <LineMenu
                    name={trigger.name}
                    actions={[
                      {
                        label: isOn ? t('trigger.disable') : t('trigger.enable'),
                        onClick: () =>
                          prepare(
                            isOn ? t('trigger.disable') : t('trigger.enable'),
                            switchTriggerSql(relation, trigger.name, !isOn),
                          ),
                      },
                      {
                        label: t('trigger.drop'),
                        isDangerous: true,
                        onClick: () => prepare(t('trigger.drop'), dropTriggerSql(relation, trigger.name)),
                      },
                    ]}
                  />
                ) : null}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Lines>
    </Section>
  )
}

function Nothing() {
  const { t } = useTranslation('tables')
  return (
    <Text size="sm" c="dimmed">
      {t('structure.nothing')}
    </Text>
  )
}
