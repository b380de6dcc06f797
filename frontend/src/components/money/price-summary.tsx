import { formatUnit } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './price-summary.module.css'

interface PriceSummaryProps {
  days: number
  /** What one of those days costs, in cents. Absent while it is asked. */
  dailyCents?: number | undefined
  /** What the procedure says all of it costs; never reckoned here. Absent while it is asked. */
  totalCents?: number | undefined
  currency?: string
}

/** What is bought and what it costs, before it is paid. */
export function PriceSummary({ days, dailyCents, totalCents, currency = 'EUR' }: PriceSummaryProps) {
  const { t } = useTranslation('ui')
  const language = useLanguage()
  return (
    <dl className={styles.summary} aria-busy={totalCents === undefined || undefined}>
      <div className={styles.line}>
        <dt>{formatUnit(days, 'day', language)}</dt>
        <dd>{dailyCents !== undefined && t('price.daily', { price: formatAmount(dailyCents, currency, language) })}</dd>
      </div>
      <div className={styles.total}>
        <dt>{t('price.total')}</dt>
        <dd>{totalCents === undefined ? '…' : formatAmount(totalCents, currency, language)}</dd>
      </div>
    </dl>
  )
}
