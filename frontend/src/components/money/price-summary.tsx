import { formatUnit } from '@/lib/i18n/format'
import { formatAmount } from '@/lib/i18n/format-amount'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './price-summary.module.css'

interface PriceSummaryProps {
  days: number
  /** The price of one of those days in cents. Absent while it is loading. */
  dailyCents?: number | undefined
  /**
   * The total in cents, as the procedure computes it; never computed here. Absent while it is
   * loading.
   */
  totalCents?: number | undefined
  currency?: string
}

/** The item and its price, before the payment. */
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
