import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { Form } from '@/components/form/form'
import { RadioField } from '@/components/form/radio-field'
import { Submit } from '@/components/form/submit'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { closeReportDialog, type ReportTarget } from '@/entities/report/dialog'
import { REPORT_REASONS } from '@/entities/report/reasons'
import { useTranslation } from '@/lib/i18n/i18n'
import { sendReportMutation } from '../api/send-report'
import { MAX_CUSTOM, reportSchema } from '../model/report'

export function ReportForm({ target, reporterId }: { target: ReportTarget; reporterId: string }) {
  const { t } = useTranslation('report')
  const { mutateAsync } = useMutation(sendReportMutation())
  const schema = useMemo(() => reportSchema(t), [t])
  const form = useForm({
    schema,
    defaults: { reason: undefined, custom: '' },
    submit: ({ reason, custom }) => mutateAsync({ target, reporterId, reason, custom }),
    onDone: closeReportDialog,
    draft: `report.${target.id}`,
  })
  const reason = useWatch({ control: form.fields.control, name: 'reason' })
  return (
    <Form form={form}>
      <RadioField
        name="reason"
        label={t('reason.label')}
        choices={REPORT_REASONS.map((value) => ({ value, label: t(`reason.${value}`) }))}
      />
      {reason === 'other' && <TextareaField name="custom" label={t('custom.label')} limit={MAX_CUSTOM} rows={3} />}
      <Submit size="large" wide>
        {t('submit')}
      </Submit>
    </Form>
  )
}
