import { useTranslation } from '@/lib/i18n'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { copyText } from '@/lib/clipboard'
import { showToast } from '@/components/ui/toast-store'
import styles from './address-chip.module.css'

/** The address to connect to; one tap copies it. */
export function AddressChip({ address }: { address: string }) {
  const { t } = useTranslation('server-page')

  async function copy(): Promise<void> {
    try {
      await copyText(address)
      showToast({ tone: 'success', title: t('connect.copied'), description: t('connect.copiedText') })
    } catch {
      showToast({ tone: 'danger', title: t('connect.copyFailed'), description: t('connect.copyFailedText') })
    }
  }

  return (
    <button type="button" className={styles.chip} onClick={() => void copy()}>
      <span className={styles.words}>
        <span className={styles.label}>{t('connect.title')}</span> <span className={styles.address}>{address}</span>
      </span>{' '}
      <span className={styles.mark}>
        <VisuallyHidden>{t('connect.copy')}</VisuallyHidden>
        <Icon name="copy" size={18} />
      </span>
    </button>
  )
}
