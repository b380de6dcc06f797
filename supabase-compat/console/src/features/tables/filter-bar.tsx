/** The filters as pills, and a form that adds one. */
import { Button, CloseButton, Group, Paper, Popover, Select, Stack, TextInput } from '@mantine/core'
import { IconFilterPlus } from '@tabler/icons-react'
import { useState, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Relation } from '@/postgres/catalog'
import { problemOf } from './cell'
import { needsValue, OPERATORS, type Filter, type Operator } from './filters'

interface Props {
  relation: Relation
  filters: readonly Filter[]
  onChange: (filters: readonly Filter[]) => void
}

export function FilterBar({ relation, filters, onChange }: Props) {
  const { t } = useTranslation('tables')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Group gap={6} style={{ flex: '1 1 240px', minWidth: 0 }}>
      {filters.map((filter, place) => (
        <Paper
          key={`${filter.column}.${filter.operator}.${filter.value}`}
          withBorder
          radius="xl"
          px={10}
          h={30}
          maw={320}
          style={{ display: 'flex', alignItems: 'center', gap: 4, fontSize: 12 }}
        >
          <span className="truncate">
            <strong>{filter.column}</strong> {t(`operator.${filter.operator}`)}{' '}
            {needsValue(filter.operator) ? filter.value : ''}
          </span>
          <CloseButton
            size="xs"
            aria-label={t('filter.remove', { column: filter.column })}
            onClick={() => onChange(filters.filter((_, index) => index !== place))}
          />
        </Paper>
      ))}
      <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" trapFocus withArrow withinPortal>
        <Popover.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFilterPlus size={14} />}
            onClick={() => setIsOpen(true)}
          >
            {t('filter.add')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('filter.add')}>
          <FilterForm
            relation={relation}
            onAdd={(filter) => {
              setIsOpen(false)
              onChange([...filters, filter])
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </Group>
  )
}

function FilterForm({ relation, onAdd }: { relation: Relation; onAdd: (filter: Filter) => void }) {
  const { t } = useTranslation('tables')
  const [column, setColumn] = useState(relation.columns[0]?.name ?? '')
  const [operator, setOperator] = useState<Operator>('eq')
  const [value, setValue] = useState('')
  const [isSent, setIsSent] = useState(false)
  const definition = relation.columns.find(({ name }) => name === column)
  const isTyped = !['contains', 'starts', 'in', 'null', 'notnull'].includes(operator)
  const problem = definition && isTyped ? problemOf({ ...definition, nullable: true }, value) : undefined
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    setIsSent(true)
    if (definition && !problem) onAdd({ column, operator, value })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" w={260}>
        <Select
          size="xs"
          label={t('filter.column')}
          data={relation.columns.map(({ name }) => name)}
          value={column}
          searchable
          allowDeselect={false}
          limit={100}
          comboboxProps={{ withinPortal: false }}
          onChange={(next) => setColumn(next ?? '')}
        />
        <Select
          size="xs"
          label={t('filter.operator')}
          data={OPERATORS.map((one) => ({ value: one, label: t(`operator.${one}`) }))}
          value={operator}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(next) => setOperator(next ?? 'eq')}
        />
        {!needsValue(operator) ? null : definition?.labels && operator === 'eq' ? (
          <Select
            size="xs"
            label={t('filter.value')}
            data={definition.labels}
            value={value || null}
            comboboxProps={{ withinPortal: false }}
            onChange={(next) => setValue(next ?? '')}
          />
        ) : (
          <TextInput
            size="xs"
            label={t('filter.value')}
            description={operator === 'in' ? t('filter.list') : undefined}
            value={value}
            error={isSent && problem ? t(`problem.${problem}`) : undefined}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
        <Button type="submit" size="xs">
          {t('filter.apply')}
        </Button>
      </Stack>
    </form>
  )
}
