import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { ShareButton } from '@/components/ui/share-button'
import { showToast } from '@/components/ui/toast-store'
import { isKnownAddress } from '@/lib/address'
import { copyText } from '@/lib/clipboard'
import { paths } from '@/lib/paths'
import type { Neighbours } from '@/lib/server-neighbours'
import { decodeStored } from '@/lib/stored-text'
import { useLanguage } from '@/lib/use-language'
import styles from './next-steps.module.css'

/** What one does after a vote: go and play, or bring somebody. */
export function NextSteps({ self, name }: { self: Neighbours['self']; name: string }) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  const address = decodeStored(self.ip_address).trim()

  async function copy(): Promise<void> {
    try {
      await copyText(address)
      showToast({ tone: 'success', title: t('steps.copied'), description: address })
    } catch {
      showToast({ tone: 'danger', title: t('steps.notCopied'), description: address })
    }
  }

  return (
    <div className={styles.steps}>
      {isKnownAddress(address) && (
        <Button icon="copy" title={address} onClick={() => void copy()}>
          {t('steps.address')}
        </Button>
      )}
      <ShareButton title={name} url={new URL(paths.server(language, self), window.location.origin).href} />
    </div>
  )
}
