import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dropConstraintSql } from '../definition'
import classes from '../tables.module.css'
import { LineMenu, Lines, Section, type SectionProps } from './parts'

export function Constraints({ relation, canAlter, prepare }: SectionProps) {
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
