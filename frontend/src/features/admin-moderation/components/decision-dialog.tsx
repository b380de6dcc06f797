import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { Form } from '@/components/form/form'
import { FormDialog } from '@/components/form/form-dialog'
import { NumberField } from '@/components/form/number-field'
import { SelectField } from '@/components/form/select-field'
import { Submit } from '@/components/form/submit'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { MAX_STATEMENT, MOST_DAYS, REASONS, type Reason } from '@/entities/moderation/rules'
import { decodeStored } from '@/lib/text/stored-text'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { DECISION_REFUSALS, decideInWordsMutation } from '../api/decide-case'
import { againstSchema, answerSchema, SANCTIONS } from '../model/case'
import type { CaseFile, Decision } from '../model/case'

interface DecisionDialogProps {
  file: CaseFile
  decision: Decision
  onClose: () => void
  onDecided: () => void
}

/** A decision against somebody: the rule, a text that they read, and an optional warning or ban. */
export function DecisionDialog(props: DecisionDialogProps) {
  return props.file.case.kind === 'appeal' ? <Answer {...props} /> : <DecisionTarget {...props} />
}

function DecisionTarget({ file, decision, onClose, onDecided }: DecisionDialogProps) {
  const { t } = useTranslation(['admin-moderation', 'moderation'])
  const decide = useMutation(decideInWordsMutation())
  const { id, label } = file.case
  const form = useForm({
    schema: againstSchema,
    defaults: { reason: '' as Reason, statement: '', sanction: '', days: null },
    submit: ({ reason, statement, sanction, days }) =>
      decide.mutateAsync({
        id,
        label,
        decision,
        reason,
        statement,
        ...(sanction !== '' && { sanction, ...(days !== null && { days }) }),
      }),
    words: useRefusal(DECISION_REFUSALS),
    onDone: onDecided,
    guard: true,
  })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`title.${decision}`, { label: decodeStored(label) })}
      description={t('against')}
    >
      <Form form={form}>
        <SelectField
          name="reason"
          label={t('reason')}
          empty={t('choose')}
          choices={REASONS.map((value) => ({ value, label: t(`moderation:reasons.${value}`) }))}
        />
        <Statement file={file} />
        {file.person !== null && <Sanction />}
        <Submit variant="danger">{t(`act.${decision}`)}</Submit>
      </Form>
    </FormDialog>
  )
}

/** The answer to the author of an appeal. */
function Answer({ file, decision, onClose, onDecided }: DecisionDialogProps) {
  const { t } = useTranslation('admin-moderation')
  const decide = useMutation(decideInWordsMutation())
  const { id, label } = file.case
  const form = useForm({
    schema: answerSchema,
    defaults: { statement: '' },
    submit: ({ statement }) => decide.mutateAsync({ id, label, decision, statement }),
    words: useRefusal(DECISION_REFUSALS),
    onDone: onDecided,
    guard: true,
  })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`title.${decision}`, { label: decodeStored(label) })}
    >
      <Form form={form}>
        <Statement file={file} />
        <Submit>{t(`act.${decision}`)}</Submit>
      </Form>
    </FormDialog>
  )
}

function Statement({ file }: { file: CaseFile }) {
  const { t } = useTranslation('admin-moderation')
  const { person } = file
  const help = person === null ? t('nobodyReads') : t(`reads.${languageOf(person.language)}`, { name: person.username })
  return <TextareaField name="statement" label={t('statement')} help={help} limit={MAX_STATEMENT} />
}

function languageOf(text: string): 'fr' | 'en' | 'es' {
  return text === 'en' || text === 'es' ? text : 'fr'
}

function Sanction() {
  const { t } = useTranslation('admin-moderation')
  const sanction = useWatch<{ sanction: string }, 'sanction'>({ name: 'sanction' })
  return (
    <>
      <SelectField
        name="sanction"
        label={t('sanction')}
        empty={t('sanctions.none')}
        choices={SANCTIONS.map((value) => ({ value, label: t(`sanctions.${value}`) }))}
        optional
      />
      {sanction !== '' && (
        <NumberField name="days" label={t('days')} help={t('daysHelp')} min={1} max={MOST_DAYS} optional />
      )}
    </>
  )
}
