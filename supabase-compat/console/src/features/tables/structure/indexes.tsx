import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { dropIndexSql } from '../definition'
import classes from '../tables.module.css'
import { AddButton, EmptyNote, LineMenu, Lines, Section, type SectionProps } from './parts'

export function Indexes({ relation, canAlter, prepare, setForm }: SectionProps) {
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
        <EmptyNote />
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
