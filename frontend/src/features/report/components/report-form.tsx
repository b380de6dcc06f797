import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { TextAreaField } from '@/components/ui/field'
import { closeReportDialog, type ReportTarget } from '@/lib/report-dialog'
import { sendReportMutation } from '../api/send-report'
import { isReason, reportProblem, type Reason, type ReportProblem } from '../model/report'
import { ReasonField } from './reason-field'
import styles from './report-form.module.css'

export function ReportForm({ target, reporterId }: { target: ReportTarget; reporterId: string }) {
  const { t } = useTranslation('report')
  const [reason, setReason] = useState<Reason | null>(null)
  const [problem, setProblem] = useState<ReportProblem | null>(null)

  const send = useMutation(sendReportMutation())

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    const custom = String(new FormData(form).get('custom') ?? '').trim()
    const found = reportProblem(reason, custom)
    setProblem(found)
    if (found)
      return form.querySelector<HTMLElement>(found === 'reason' ? '[name="reason"]' : '[name="custom"]')?.focus()
    if (reason !== null && !send.isPending)
      send.mutate({ target, reporterId, reason, custom }, { onSuccess: closeReportDialog })
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <ReasonField
        value={reason}
        error={problem === 'reason' ? t('problem.reason') : undefined}
        onChange={(next) => {
          if (isReason(next)) setReason(next)
          setProblem(null)
        }}
      />
      {reason === 'other' && (
        <TextAreaField
          label={t('custom.label')}
          help={t('custom.help')}
          error={problem === 'custom' || problem === 'long' ? t(`problem.${problem}`) : undefined}
          name="custom"
          rows={3}
          required
          onChange={() => setProblem(null)}
        />
      )}
      <Button type="submit" look="primary" size="large" wide busy={send.isPending}>
        {t('submit')}
      </Button>
    </form>
  )
}
