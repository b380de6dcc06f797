/** The form for a new function, or for an existing one by its definition. */
import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createRoutineSql,
  ROUTINE_LANGUAGES,
  TRIGGER_BODY,
  VOLATILITIES,
  type Routine,
  type RoutineDraft,
} from './routine'

const CODE = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }

interface Props {
  schema: string
  routine: Routine | undefined
  onClose: () => void
  onPrepare: (title: string, sql: string) => void
}

export function RoutineForm({ schema, routine, onClose, onPrepare }: Props) {
  const { t } = useTranslation('tables')
  const title = routine ? t('routine.edit', { name: routine.name }) : t('routine.add')
  return (
    <Modal opened onClose={onClose} size="xl" title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      {routine ? (
        <TextForm routine={routine} onClose={onClose} onSubmit={(sql) => onPrepare(title, sql)} />
      ) : (
        <NewForm schema={schema} onClose={onClose} onSubmit={(sql) => onPrepare(title, sql)} />
      )}
    </Modal>
  )
}

interface FormProps {
  onClose: () => void
  onSubmit: (sql: string) => void
}

function Buttons({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('tables')
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button type="submit">{t('form.show')}</Button>
    </Group>
  )
}

function TextForm({ routine, onClose, onSubmit }: FormProps & { routine: Routine }) {
  const { t } = useTranslation('tables')
  const [text, setText] = useState(routine.definition.trimEnd())
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(text.trim().endsWith(';') ? text.trim() : `${text.trim()};`)
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={t('structure.definition')}
          description={t('routine.editText')}
          autosize
          minRows={10}
          maxRows={24}
          spellCheck={false}
          styles={CODE}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Buttons onClose={onClose} />
      </Stack>
    </form>
  )
}

function NewForm({ schema, onClose, onSubmit }: FormProps & { schema: string }) {
  const { t } = useTranslation('tables')
  const [draft, setDraft] = useState<RoutineDraft>({
    schema,
    name: '',
    arguments: '',
    returns: 'trigger',
    language: 'plpgsql',
    volatility: 'volatile',
    isSecurityDefiner: false,
    body: TRIGGER_BODY,
    comment: '',
  })
  const [isSent, setIsSent] = useState(false)
  const set = (change: Partial<RoutineDraft>): void => setDraft({ ...draft, ...change })
  const isIncomplete = draft.name.trim() === '' || draft.returns.trim() === '' || draft.body.trim() === ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setIsSent(true)
        if (!isIncomplete) onSubmit(createRoutineSql(draft))
      }}
    >
      <Stack gap="sm">
        <Group grow align="flex-start">
          <TextInput
            label={t('column.name')}
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            spellCheck={false}
          />
          <TextInput
            label={t('routine.returns')}
            value={draft.returns}
            onChange={(event) => set({ returns: event.currentTarget.value })}
            spellCheck={false}
          />
        </Group>
        <TextInput
          label={t('routine.arguments')}
          placeholder="id bigint, name text default ''"
          value={draft.arguments}
          onChange={(event) => set({ arguments: event.currentTarget.value })}
          spellCheck={false}
        />
        <Group grow align="flex-start">
          <Select
            label={t('routine.language')}
            data={ROUTINE_LANGUAGES}
            value={draft.language}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(language) => set({ language: ROUTINE_LANGUAGES.find((one) => one === language) ?? 'sql' })}
          />
          <Select
            label={t('routine.volatility')}
            data={VOLATILITIES}
            value={draft.volatility}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(value) => set({ volatility: VOLATILITIES.find((one) => one === value) ?? 'volatile' })}
          />
        </Group>
        <Textarea
          label={t('routine.body')}
          description={t('routine.bodyText')}
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
          styles={CODE}
          value={draft.body}
          onChange={(event) => set({ body: event.currentTarget.value })}
        />
        <Checkbox
          label={t('routine.definer')}
          description={t('routine.definerText')}
          checked={draft.isSecurityDefiner}
          onChange={(event) => set({ isSecurityDefiner: event.currentTarget.checked })}
        />
        <TextInput
          label={t('column.comment')}
          value={draft.comment}
          onChange={(event) => set({ comment: event.currentTarget.value })}
        />
        {isSent && isIncomplete ? <Alert color="red">{t('form.incomplete')}</Alert> : null}
        <Buttons onClose={onClose} />
      </Stack>
    </form>
  )
}
