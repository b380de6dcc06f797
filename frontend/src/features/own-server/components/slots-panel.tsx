import { Icon } from '@/components/ui/icon'
import { Progress } from '@/components/ui/progress'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './slots-panel.module.css'

export interface Slots {
  base_limit: number
  bonus: number
  total_limit: number
  used: number
  visible: number
  available: number
}

/** The number of slots, how many are used, and how to get more. */
export function SlotsPanel({ slots }: { slots: Slots }) {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  const figure = (value: number) => ({ count: value, number: formatNumber(value, language) })
  const used = t('slots.used', {
    used: formatNumber(slots.used, language),
    limit: formatNumber(slots.total_limit, language),
  })
  return (
    <section className={styles.slots} aria-label={t('slots.title')}>
      <div className={styles.line}>
        <p className={styles.free}>{t('slots.available', figure(slots.available))}</p>
        <p className={styles.note}>
          {used} · {t('slots.visible', figure(slots.visible))}
        </p>
      </div>
      <Progress label={t('slots.title')} value={slots.used} max={Math.max(1, slots.total_limit)} text={used} />
      <p className={styles.tip}>
        <Icon name="crown" size={18} />
        <span>
          {t('slots.base', figure(slots.base_limit))} {t('slots.tip')}
          {slots.bonus > 0 && ` ${t('slots.bonus', figure(slots.bonus))}`}
        </span>
      </p>
    </section>
  )
}
