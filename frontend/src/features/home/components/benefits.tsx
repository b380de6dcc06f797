import { useTranslation } from '@/lib/i18n/i18n'
import { Icon } from '@/components/ui/icon'
import styles from './benefits.module.css'

const BENEFITS = [
  ['live', 'flame'],
  ['community', 'users'],
  ['verified', 'shield'],
] as const

/** The advantages of this ranking. */
export function Benefits() {
  const { t } = useTranslation('home')
  return (
    <section className={styles.benefits} aria-labelledby="why-title">
      <h2 id="why-title">{t('why.title')}</h2>
      <ul className={styles.list}>
        {BENEFITS.map(([key, icon]) => (
          <li key={key} className={styles.benefit}>
            <span className={styles.mark}>
              <Icon name={icon} size={22} />
            </span>
            <h3>{t(`why.${key}.title`)}</h3>
            <p>{t(`why.${key}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
