import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CaptchaField } from '@/components/captcha/captcha-field'
import { CheckboxField } from '@/components/form/check-field'
import { Form } from '@/components/form/form'
import { RadioField } from '@/components/form/radio-field'
import { Submit } from '@/components/form/submit'
import { EmailField, TextField } from '@/components/form/text-field'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { captchaQuery, SOLVES_ITSELF } from '@/entities/captcha/queries'
import { REPORT_REASONS } from '@/entities/report/reasons'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { PUBLIC_REPORT_REFUSALS, sendPublicReportMutation } from '../api/send-public-report'
import type { PublicReportTarget } from '../api/target'
import { MAX_EXPLANATION, publicReportSchema } from '../model/public-report'
import styles from '../public-report.module.css'

export interface SentReport {
  email: string
}

interface PublicReportFormProps {
  target: PublicReportTarget
  onSent: (sent: SentReport) => void
}

/** The form of a public report: reason, explanation and contact. */
export function PublicReportForm({ target, onSent }: PublicReportFormProps) {
  const { t } = useTranslation(['public-report', 'report'])
  const language = useLanguage()
  const serverId = target.server.id ?? ''
  const scope = { purpose: 'notice', serverId } as const
  const captcha = useQuery({ ...captchaQuery(scope), enabled: SOLVES_ITSELF })
  const { mutateAsync } = useMutation(sendPublicReportMutation(target, language))
  const schema = useMemo(() => publicReportSchema(t), [t])
  const form = useForm({
    schema,
    defaults: { reason: undefined, explanation: '', name: '', email: '', isTrue: false },
    submit: (report) => mutateAsync(report),
    onDone: (_, { email }) => onSent({ email }),
    words: useRefusal(PUBLIC_REPORT_REFUSALS),
    draft: `notice.${target.review?.id ?? serverId}`,
  })
  return (
    <Form form={form} label={t('title')} summary>
      <RadioField
        name="reason"
        label={t('report:reason.label')}
        choices={REPORT_REASONS.map((value) => ({ value, label: t(`report:reason.${value}`) }))}
      />
      <TextareaField
        name="explanation"
        label={t('explanation.label')}
        help={t('explanation.help')}
        limit={MAX_EXPLANATION}
        rows={6}
      />
      <div className={styles.who}>
        <TextField name="name" label={t('name')} autoComplete="name" />
        <EmailField name="email" label={t('email.label')} help={t('email.help')} />
      </div>
      <CheckboxField name="isTrue" label={t('isTrue')} />
      <CaptchaField scope={scope} captcha={captcha} />
      <p className={styles.note}>{t('kept')}</p>
      <Submit size="large" wide>
        {t('submit')}
      </Submit>
    </Form>
  )
}
