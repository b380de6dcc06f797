import { useMutation } from '@tanstack/react-query'
import { EntityDialog } from '@/components/form/entity-dialog'
import { NumberField } from '@/components/form/number-field'
import { SelectField } from '@/components/form/select-field'
import { TextareaField } from '@/components/form/textarea-field'
import { MAX_STATEMENT, MOST_DAYS, REASONS, type Reason } from '@/entities/moderation/rules'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import type { PersonRecord } from '../api/people'
import { changeRoleMutation, SANCTION_REFUSALS, sanctionMutation } from '../api/sanction'
import { roleOf, roleSchema, sanctionSchema, type Role } from '../model/sanction'

interface SanctionDialogProps {
  person: PersonRecord
  sanction: 'warning' | 'ban'
  onClose: () => void
}

/** A warning or a ban, with its rule, a text that the person reads, and an optional end. */
export function SanctionDialog({ person, sanction, onClose }: SanctionDialogProps) {
  const { t } = useTranslation(['admin-users', 'admin-moderation', 'moderation'])
  const give = useMutation(sanctionMutation())
  return (
    <EntityDialog
      title={t(`admin-users:title.${sanction}`, { name: person.username })}
      description={t('admin-moderation:against')}
      action={t(`admin-users:act.${sanction}`)}
      danger
      onClose={onClose}
      schema={sanctionSchema}
      defaults={{ reason: '' as Reason, statement: '', days: null }}
      submit={(values) => give.mutateAsync({ person, sanction, ...values })}
      words={useRefusal(SANCTION_REFUSALS)}
    >
      <SelectField
        name="reason"
        label={t('admin-moderation:reason')}
        empty={t('admin-moderation:choose')}
        choices={REASONS.map((value) => ({ value, label: t(`moderation:reasons.${value}`) }))}
      />
      <TextareaField name="statement" label={t('admin-moderation:statement')} limit={MAX_STATEMENT} />
      <NumberField
        name="days"
        label={t('admin-moderation:days')}
        help={t('admin-moderation:daysHelp')}
        min={1}
        max={MOST_DAYS}
        optional
      />
    </EntityDialog>
  )
}

interface RoleDialogProps {
  person: PersonRecord
  /** The roles that the administrator may grant. */
  roles: readonly Role[]
  onClose: () => void
}

/** Changes the role of a person. */
export function RoleDialog({ person, roles, onClose }: RoleDialogProps) {
  const { t } = useTranslation('admin-users')
  const change = useMutation(changeRoleMutation())
  return (
    <EntityDialog
      title={t('title.role', { name: person.username })}
      description={t('roleText')}
      action={t('act.role')}
      onClose={onClose}
      schema={roleSchema}
      defaults={{ role: roleOf(person.role) }}
      submit={({ role }) => change.mutateAsync({ person, role })}
      guard={false}
    >
      <SelectField
        name="role"
        label={t('role')}
        choices={roles.map((value) => ({ value, label: t(`roles.${value}`) }))}
      />
    </EntityDialog>
  )
}
