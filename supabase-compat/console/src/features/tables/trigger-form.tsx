/** The form for a new or changed trigger. */
import {
  Alert,
  Button,
  Group,
  Modal,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Relation, Trigger } from '@/postgres/catalog'
import {
  createTriggerSql,
  replaceTriggerSql,
  TRIGGER_EVENTS,
  TRIGGER_TIMES,
  triggerDraftOf,
  triggerFunctionsQuery,
  type TriggerDraft,
} from './routine'

interface Props {
  relation: Relation
  trigger: Trigger | undefined
  onClose: () => void
  onPrepare: (title: string, sql: string) => void
}

const EMPTY_TRIGGER: TriggerDraft = {
  name: '',
  time: 'before',
  events: ['insert'],
  columns: [],
  isForEachRow: true,
  when: '',
  routine: null,
  arguments: '',
}

export function TriggerForm({ relation, trigger, onClose, onPrepare }: Props) {
  const { t } = useTranslation('tables')
  const functions = useQuery(triggerFunctionsQuery)
  const [draft, setDraft] = useState<TriggerDraft>(() => (trigger ? triggerDraftOf(trigger) : EMPTY_TRIGGER))
  const title = trigger ? t('trigger.edit') : t('trigger.add')
  const [isSent, setIsSent] = useState(false)
  const set = (change: Partial<TriggerDraft>): void => setDraft({ ...draft, ...change })
  const isIncomplete = draft.name.trim() === '' || draft.events.length === 0 || draft.routine === null
  const options = functions.data ?? []
  const nameOf = ({ schema, name }: { schema: string; name: string }): string => `${schema}.${name}`
  return (
    <Modal opened onClose={onClose} size="lg" title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setIsSent(true)
          if (!isIncomplete)
            onPrepare(title, trigger ? replaceTriggerSql(relation, trigger, draft) : createTriggerSql(relation, draft))
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={t('column.name')}
            value={draft.name}
            // A trigger cannot be renamed by replacing it.
            readOnly={trigger !== undefined}
            onChange={(event) => set({ name: event.currentTarget.value })}
            spellCheck={false}
          />
          <Group grow align="flex-start">
            <Select
              label={t('trigger.time')}
              data={TRIGGER_TIMES.filter((time) => time !== 'instead of')}
              value={draft.time}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(time) => set({ time: TRIGGER_TIMES.find((one) => one === time) ?? 'before' })}
            />
            <MultiSelect
              label={t('trigger.events')}
              data={TRIGGER_EVENTS}
              value={draft.events}
              comboboxProps={{ withinPortal: false }}
              onChange={(events) => set({ events: TRIGGER_EVENTS.filter((one) => events.includes(one)) })}
            />
          </Group>
          {draft.events.includes('update') ? (
            <MultiSelect
              label={t('trigger.columns')}
              description={t('trigger.columnsText')}
              data={relation.columns.map(({ name }) => name)}
              value={draft.columns}
              searchable
              limit={100}
              comboboxProps={{ withinPortal: false }}
              onChange={(columns) => set({ columns })}
            />
          ) : null}
          <Select
            label={t('trigger.function')}
            data={options.map(nameOf)}
            value={draft.routine ? nameOf(draft.routine) : null}
            searchable
            nothingFoundMessage={t('list.nothing')}
            error={functions.isError ? functions.error.message : undefined}
            comboboxProps={{ withinPortal: false }}
            onChange={(value) => set({ routine: options.find((one) => nameOf(one) === value) ?? null })}
          />
          <Text size="xs" c="dimmed">
            {t('trigger.functionText')}{' '}
            <Link to={`/tables/${encodeURIComponent(relation.schema)}?view=functions`}>{t('routine.all')}</Link>
          </Text>
          <TextInput
            label={t('trigger.arguments')}
            placeholder="'a', 'b'"
            value={draft.arguments}
            onChange={(event) => set({ arguments: event.currentTarget.value })}
            spellCheck={false}
          />
          <SegmentedControl
            aria-label={t('trigger.level')}
            value={draft.isForEachRow ? 'row' : 'statement'}
            onChange={(level) => set({ isForEachRow: level === 'row' })}
            data={(['row', 'statement'] as const).map((value) => ({ value, label: t(`trigger.levels.${value}`) }))}
          />
          <TextInput
            label={t('trigger.when')}
            description={t('column.expression')}
            placeholder="old.* is distinct from new.*"
            value={draft.when}
            onChange={(event) => set({ when: event.currentTarget.value })}
            spellCheck={false}
          />
          {isSent && isIncomplete ? <Alert color="red">{t('form.incomplete')}</Alert> : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit">{t('form.show')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
