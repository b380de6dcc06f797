import type { To } from 'react-router'
import { ButtonLink } from '@/components/ui/button'
import { formatMonth } from '@/lib/i18n/format-month'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './hall.module.css'

interface MonthPagerProps {
  /** The first days of all months, the latest first. */
  months: readonly string[]
  /** The shown month. */
  month: string
  /** The link to a month. */
  to: (month: string) => To
}

/** The shown month, with links to the adjacent ones. */
export function MonthPager({ months, month, to }: MonthPagerProps) {
  const { t } = useTranslation('hall-of-fame')
  const language = useLanguage()
  const at = months.indexOf(month)
  const [later, earlier] = [months[at - 1], months[at + 1]]
  return (
    <nav className={styles.months} aria-label={t('months')}>
      {earlier !== undefined && <MonthLink month={earlier} to={to} icon="chevron-left" className={styles.earlier} />}
      <span className={styles.month} aria-current="page">
        {formatMonth(month, language)}
      </span>
      {later !== undefined && <MonthLink month={later} to={to} icon="chevron-right" className={styles.later} />}
    </nav>
  )
}

interface MonthLinkProps {
  month: string
  to: (month: string) => To
  icon: 'chevron-left' | 'chevron-right'
  className: string | undefined
}

function MonthLink({ month, to, icon, className }: MonthLinkProps) {
  const name = formatMonth(month, useLanguage())
  return (
    <ButtonLink to={to(month)} variant="quiet" size="small" icon={icon} className={className} aria-label={name}>
      <span className={styles.monthWord}>{name}</span>
    </ButtonLink>
  )
}
