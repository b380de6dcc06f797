import { useTranslation } from '@/lib/i18n/i18n'
import { CopyButton } from '@/components/ui/copy-button'
import { ShareButton } from '@/components/ui/share-button'
import { isKnownAddress } from '@/entities/server/address'
import { paths } from '@/lib/routing/paths'
import { recordCopy } from '@/entities/server/record-address-copy'
import type { Neighbours } from '@/entities/server/neighbours'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './next-steps.module.css'

/** Actions after a vote: join the server, or share it. */
export function NextSteps({ self, name }: { self: Neighbours['self']; name: string }) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  const address = decodeStored(self.ip_address).trim()
  return (
    <div className={styles.steps}>
      {isKnownAddress(address) && (
        <CopyButton text={address} onCopied={() => void recordCopy(self.id)}>
          {t('steps.address')}
        </CopyButton>
      )}
      <ShareButton title={name} url={new URL(paths.server(language, self), window.location.origin).href} />
    </div>
  )
}
