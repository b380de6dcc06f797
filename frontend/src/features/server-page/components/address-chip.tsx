import { useTranslation } from '@/lib/i18n/i18n'
import { useCopy } from '@/components/ui/use-copy'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import styles from './address-chip.module.css'

/** The server's address; a tap copies it, which is counted for public servers. */
export function AddressChip({ address, serverId }: { address: string; serverId: string }) {
  const { t } = useTranslation('server-page')
  // An address that needs two lines wraps before its port.
  const [, host = address, port] = /^(.+):(\d+)$/.exec(address) ?? []
  const copy = useCopy()
  const done = { title: t('connect.copied'), description: t('connect.copiedText') }

  async function take(): Promise<void> {
    if (await copy(address, done)) await (await import('@/entities/server/record-address-copy')).recordCopy(serverId)
  }

  return (
    <button type="button" className={styles.chip} onClick={() => void take()}>
      <span className={styles.words}>
        <span className={styles.label}>{t('connect.title')}</span>{' '}
        <span className={styles.address}>
          {host}
          {port !== undefined && (
            <>
              <wbr />:{port}
            </>
          )}
        </span>
      </span>{' '}
      <span className={styles.mark}>
        <VisuallyHidden>{t('connect.copy')}</VisuallyHidden>
        <Icon name="copy" size={18} />
      </span>
    </button>
  )
}
