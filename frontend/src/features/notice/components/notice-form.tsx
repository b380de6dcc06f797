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
import { NOTICE_REFUSALS, sendNoticeMutation } from '../api/send-notice'
import type { NoticeTarget } from '../api/target'
import { MAX_EXPLANATION, noticeSchema } from '../model/notice'
import styles from '../notice.module.css'

export interface Sent {
  email: string
}

interface NoticeFormProps {
  target: NoticeTarget
  onSent: (sent: Sent) => void
}

/** Why, what, and who: what a notice must say to be acted upon. */
export function NoticeForm({ target, onSent }: NoticeFormProps) {
  const { t } = useTranslation(['notice', 'report'])
  const language = useLanguage()
  const serverId = target.server.id ?? ''
  const deed = { purpose: 'notice', serverId } as const
  const captcha = useQuery({ ...captchaQuery(deed), enabled: SOLVES_ITSELF })
  const { mutateAsync } = useMutation(sendNoticeMutation(target, language))
  const schema = useMemo(() => noticeSchema(t), [t])
  const form = useForm({
    schema,
    defaults: { reason: undefined, explanation: '', name: '', email: '', isTrue: false },
    submit: (notice) => mutateAsync(notice),
    onDone: (_, { email }) => onSent({ email }),
    words: useRefusal(NOTICE_REFUSALS),
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
      <CaptchaField deed={deed} captcha={captcha} />
      <p className={styles.note}>{t('kept')}</p>
      <Submit size="large" wide>
        {t('submit')}
      </Submit>
    </Form>
  )
}
