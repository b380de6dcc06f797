/** The form for a new policy, from a template or by hand, or for a changed one. */
import { Alert, Button, Checkbox, Group, Modal, MultiSelect, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Policy, Relation } from '@/postgres/catalog'
import {
  createPolicySql,
  policyDraftOf,
  replacePolicySql,
  takesCheck,
  takesUsing,
  type PolicyCommand,
  type PolicyDraft,
} from './definition'
import { NEW_POLICY, type PolicyTemplate } from './policy-templates'

interface Props {
  relation: Relation
  policy: Policy | undefined
  /** The templates for a new policy. */
  templates: readonly PolicyTemplate[]
  onClose: () => void
  onPrepare: (title: string, sql: string) => void
}

const COMMANDS: PolicyCommand[] = ['all', 'select', 'insert', 'update', 'delete']
const ROLES = ['anon', 'authenticated', 'service_role', 'public']

export function PolicyForm({ relation, policy, templates, onClose, onPrepare }: Props) {
  const { t } = useTranslation('tables')
  const [draft, setDraft] = useState<PolicyDraft>(() => (policy ? policyDraftOf(policy) : NEW_POLICY))
  const [isSent, setIsSent] = useState(false)
  const set = (change: Partial<PolicyDraft>): void => setDraft({ ...draft, ...change })
  const title = policy ? t('policy.edit') : t('policy.add')
  const hasCondition =
    (takesUsing(draft.command) && draft.using.trim() !== '') || (takesCheck(draft.command) && draft.check.trim() !== '')
  const isIncomplete = draft.name.trim() === '' || !hasCondition
  const submit = (): void => {
    setIsSent(true)
    if (!isIncomplete)
      onPrepare(title, policy ? replacePolicySql(relation, policy, draft) : createPolicySql(relation, draft))
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          {policy ? null : (
            <Group gap={6}>
              {templates.map(({ label, draft: template }) => (
                <Button key={label} size="compact-xs" variant="light" onClick={() => setDraft(template)}>
                  {label}
                </Button>
              ))}
            </Group>
          )}
          <TextInput
            label={t('policy.name')}
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Group grow align="flex-start">
            <Select
              label={t('policy.command')}
              data={COMMANDS}
              value={draft.command}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(command) => set({ command: (command ?? 'all') as PolicyCommand })}
            />
            <MultiSelect
              label={t('policy.roles')}
              data={[...new Set([...ROLES, ...draft.roles])]}
              value={draft.roles}
              comboboxProps={{ withinPortal: false }}
              onChange={(roles) => set({ roles })}
            />
          </Group>
          {takesUsing(draft.command) ? (
            <Condition
              label={t('policy.using')}
              description={t('policy.usingText')}
              value={draft.using}
              onChange={(using) => set({ using })}
            />
          ) : null}
          {takesCheck(draft.command) ? (
            <Condition
              label={t('policy.check')}
              description={t('policy.checkText')}
              value={draft.check}
              onChange={(check) => set({ check })}
            />
          ) : null}
          <Checkbox
            label={t('policy.restrictive')}
            checked={!draft.isPermissive}
            onChange={(event) => set({ isPermissive: !event.currentTarget.checked })}
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

interface ConditionProps {
  label: string
  description: string
  value: string
  onChange: (value: string) => void
}

function Condition({ label, description, value, onChange }: ConditionProps) {
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={2}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
