import { useTranslation } from '@/lib/i18n/i18n'
import { RANGES, type Range } from './ranges'
import { ViewSwitch } from './view-switch'

/** Buttons that choose the range of a chart. */
export function RangeSwitch({ value, onValueChange }: { value: Range; onValueChange: (range: Range) => void }) {
  const { t } = useTranslation('ui')
  const views = RANGES.map((range) => ({
    view: range,
    name: range === 'all' ? t('chart.all') : t('chart.days', { count: Number(range) }),
  }))
  return <ViewSwitch label={t('chart.range')} views={views} value={value} onValueChange={onValueChange} />
}
