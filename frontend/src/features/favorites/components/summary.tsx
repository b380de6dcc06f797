import { Icon, type IconName } from '@/components/ui/icon'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Change } from '../model/visit'
import styles from './summary.module.css'

interface SummaryProps {
  /** When the last visit was, in milliseconds; null on the first one. */
  since: number | null
  cards: readonly { change: Change | null; events: readonly { isNew: boolean }[] }[]
}

/** One line on what is new. */
export function Summary({ since, cards }: SummaryProps) {
  const { t } = useTranslation('favorites')
  const language = useLanguage()
  if (since === null) return <p className={styles.summary}>{t('since.first')}</p>
  const risen = cards.filter(({ change }) => change !== null && change.places > 0).length
  const fallen = cards.filter(({ change }) => change !== null && change.places < 0).length
  const announced = cards.flatMap(({ events }) => events).filter(({ isNew }) => isNew).length
  const facts: [IconName, string | false][] = [
    ['arrow-up', risen > 0 && t('since.risen', { count: risen })],
    ['arrow-down', fallen > 0 && t('since.fallen', { count: fallen })],
    ['calendar', announced > 0 && t('since.announced', { count: announced })],
  ]
  const visibleFacts = facts.filter(([, words]) => words !== false)
  return (
    <div className={styles.summary}>
      <p>{t('since.when', { when: formatRelative(since, language) })}</p>
      {visibleFacts.length === 0 ? (
        <p className={styles.fact}>{t('since.nothing')}</p>
      ) : (
        <ul className={styles.facts}>
          {visibleFacts.map(([icon, words]) => (
            <li key={icon} className={styles.fact} data-kind={icon}>
              <Icon name={icon} size={16} />
              {words}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
