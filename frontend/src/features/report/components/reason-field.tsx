import { useId } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Icon } from '@/components/ui/icon'
import { REASONS, type Reason } from '../model/report'
import styles from './report-form.module.css'

interface ReasonFieldProps {
  value: Reason | null
  error: string | undefined
  onChange: (value: string) => void
}

export function ReasonField({ value, error, onChange }: ReasonFieldProps) {
  const { t } = useTranslation('report')
  const errorId = useId()
  return (
    <fieldset className={styles.reasons} aria-describedby={error ? errorId : undefined}>
      <legend>{t('reason.label')}</legend>
      {REASONS.map((reason) => (
        <label key={reason} className={styles.reason}>
          <input
            type="radio"
            name="reason"
            value={reason}
            checked={reason === value}
            onChange={(event) => onChange(event.target.value)}
          />
          {t(`reason.${reason}`)}
        </label>
      ))}
      <div role="alert" id={errorId}>
        {error && (
          <p className={styles.error}>
            <Icon name="warning" size={18} />
            {error}
          </p>
        )}
      </div>
    </fieldset>
  )
}
