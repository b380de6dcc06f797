import { useTranslation } from '@/lib/i18n'
import { Icon } from '@/components/ui/icon'
import { copyText } from '@/lib/clipboard'
import { showToast } from '@/components/ui/toast-store'
import styles from './card-parts.module.css'

/** The address to connect to; a tap copies it. */
export function AddressChip({ address }: { address: string }) {
  const { t } = useTranslation('ranking-list')
  async function copy(): Promise<void> {
    try {
      await copyText(address)
      showToast({ title: t('card.copied'), description: address, tone: 'success' })
    } catch {
      showToast({ title: t('card.copyFailed'), tone: 'danger' })
    }
  }
  return (
    <button
      type="button"
      className={styles.address}
      aria-label={t('card.copy', { address })}
      onClick={() => void copy()}
    >
      {address}
      <Icon name="copy" size={14} />
    </button>
  )
}
