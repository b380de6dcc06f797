import { useTranslation } from '@/lib/i18n/i18n'
import { Icon } from '@/components/ui/icon'
import { useCopy } from '@/components/ui/use-copy'
import styles from './card-parts.module.css'

/** The server's address; a tap copies it, which is counted for the owner. */
export function AddressChip({ address, serverId }: { address: string; serverId: string }) {
  const { t } = useTranslation('ranking-list')
  const copy = useCopy()
  async function take(): Promise<void> {
    const copied = await copy(address, { title: t('card.copied'), description: address })
    if (copied) await (await import('@/entities/server/record-address-copy')).recordCopy(serverId)
  }
  return (
    <button
      type="button"
      className={styles.address}
      aria-label={t('card.copy', { address })}
      data-tooltip={address}
      onClick={() => void take()}
    >
      <span className={styles.addressText}>{address}</span>
      <Icon name="copy" size={14} />
    </button>
  )
}
