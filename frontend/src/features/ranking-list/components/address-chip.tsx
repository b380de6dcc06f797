import { useTranslation } from '@/lib/i18n'
import { Icon } from '@/components/ui/icon'
import { useCopy } from '@/components/ui/use-copy'
import styles from './card-parts.module.css'

/** The address to connect to; a tap copies it. */
export function AddressChip({ address }: { address: string }) {
  const { t } = useTranslation('ranking-list')
  const copy = useCopy()
  return (
    <button
      type="button"
      className={styles.address}
      aria-label={t('card.copy', { address })}
      title={address}
      onClick={() => void copy(address, { title: t('card.copied'), description: address })}
    >
      <span className={styles.addressText}>{address}</span>
      <Icon name="copy" size={14} />
    </button>
  )
}
