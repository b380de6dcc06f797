import { formatDate } from '@/lib/format'
import { useTranslation } from '@/lib/i18n'
import { useLanguage } from '@/lib/use-language'
import type { ChartProps } from './chart-frame'
import styles from './chart.module.css'

interface ChartTableProps extends Pick<ChartProps, 'label' | 'days' | 'series'> {
  write: (value: number) => string
}

/** The same figures for whoever does not see the drawing. */
export function ChartTable({ label, days, series, write }: ChartTableProps) {
  const { t } = useTranslation('ui')
  const language = useLanguage()
  return (
    <table className={styles.table}>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t('chart.day')}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, index) => (
          <tr key={day}>
            <th scope="row">{formatDate(day, language)}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{values[index] == null ? '–' : write(values[index])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
