import type { ReactNode } from 'react'
import { Icon, type IconName } from '@/components/ui/icon'
import { useTranslation } from '@/lib/i18n/i18n'
import type { CalloutTone } from './article'
import styles from './callout.module.css'

const ICONS: Record<CalloutTone, IconName> = { note: 'info', tip: 'sparkles', warning: 'warning' }

/** A notice within a text. */
export function Callout({ tone = 'note', children }: { tone?: CalloutTone; children: ReactNode }) {
  const { t } = useTranslation('prose')
  return (
    <div role="note" aria-label={t(`callout.${tone}`)} className={styles.callout} data-tone={tone}>
      <p className={styles.name} aria-hidden="true">
        <Icon name={ICONS[tone]} size={18} />
        {t(`callout.${tone}`)}
      </p>
      {children}
    </div>
  )
}
