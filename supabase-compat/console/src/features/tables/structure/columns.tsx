import { Badge, Group, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dropColumnSql } from '../definition'
import classes from '../tables.module.css'
import { AddButton, LineMenu, Lines, Section, type SectionProps } from './parts'

export function Columns({ relation, canAlter, prepare, setForm }: SectionProps) {
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
              <Group gap={6} wrap="nowrap" miw="max-content">
                <Text size="sm" fw={500}>
                  {column.name}
                </Text>
                {relation.key.includes(column.name) ? (
                  <Badge size="xs" className={classes.mark}>
                    {t('column.key')}
                  </Badge>
                ) : null}
                {column.nullable ? null : (
                  <Badge size="xs" variant="default" className={classes.mark}>
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
