import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import type { ChartProps } from './types'
import styles from './chart.module.css'

interface ChartTableProps extends Pick<ChartProps, 'label' | 'days' | 'others' | 'series'> {
  write: (value: number) => string
}

/** The figures of a chart as a table for screen readers. */
export function ChartTable({ label, days, others, series, write }: ChartTableProps) {
  const { t } = useTranslation('ui')
  const language = useLanguage()
  return (
    <div className={styles.table}>
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{others ? others.label : t('chart.day')}</th>
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
              <th scope="row">{others ? others.nameOf(day) : formatDate(day, language)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{values[index] == null ? '–' : write(values[index])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
