import { Badge, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dropTriggerSql, switchTriggerSql } from '../definition'
import classes from '../tables.module.css'
import { AddButton, EmptyNote, LineMenu, Lines, Section, type SectionProps } from './parts'

export function Triggers({ relation, canAlter, prepare, setForm }: SectionProps) {
  const { t } = useTranslation('tables')
  if (!canAlter && relation.triggers.length === 0) return null
  return (
    <Section
      title={t('structure.triggers')}
      action={canAlter ? <AddButton label={t('trigger.add')} onClick={() => setForm({ kind: 'trigger' })} /> : null}
    >
      {relation.triggers.length === 0 ? (
        <EmptyNote />
      ) : (
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
                        ...(trigger.replaceable
                          ? [{ label: t('trigger.edit'), onClick: () => setForm({ kind: 'trigger', trigger }) }]
                          : []),
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
      )}
    </Section>
  )
}
