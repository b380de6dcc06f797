import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './card-parts.module.css'

/** Places gained or lost since the start of the day; nothing if unchanged. */
export function Movement({ moved }: { moved: number }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  if (moved === 0) return null
  const count = Math.abs(moved)
  const formatted = formatNumber(count, language)
  const label = t(moved > 0 ? 'card.won' : 'card.lost', { count, formatted })
  return (
    <span role="img" aria-label={label} data-tooltip={label} className={styles.moved} data-up={moved > 0}>
      {moved > 0 ? '▲' : '▼'} {formatted}
    </span>
  )
}
