import { useId } from 'react'
import { useTranslation } from '@/lib/i18n'
import { RANGES, type Range } from './ranges'
import styles from './range-switch.module.css'

/** Which span of time is shown. */
export function RangeSwitch({ value, onValueChange }: { value: Range; onValueChange: (range: Range) => void }) {
  const { t } = useTranslation('ui')
  const name = useId()
  return (
    <div role="radiogroup" aria-label={t('chart.range')} className={styles.ranges}>
      {RANGES.map((range) => (
        <label key={range} className={styles.range}>
          <input
            type="radio"
            className={styles.choice}
            name={name}
            checked={range === value}
            onChange={() => onValueChange(range)}
          />
          {range === 'all' ? t('chart.all') : t('chart.days', { count: Number(range) })}
        </label>
      ))}
    </div>
  )
}
