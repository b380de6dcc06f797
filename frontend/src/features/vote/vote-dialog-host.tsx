/** The vote dialog; the app mounts it when it is first opened. */
import { useEffect } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { ServerLogo } from '@/components/ui/server-logo'
import { closeVoteDialog, useVoteDialog, type VoteTarget } from '@/entities/vote/dialog'
import { endVoteRound } from '@/entities/vote/round'
import { config } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { useIntervalText } from '@/lib/i18n/use-interval-text'
import { decodeStored } from '@/lib/text/stored-text'
import { VotePanel } from './components/vote-panel'
import styles from './vote-dialog-host.module.css'

export function VoteDialogHost() {
  const target = useVoteDialog()
  useEffect(() => {
    if (target === null) endVoteRound()
  }, [target])
  return target === null ? null : <VoteDialog target={target} />
}

function VoteDialog({ target }: { target: VoteTarget }) {
  const { t } = useTranslation(['vote', 'captcha'])
  const every = useIntervalText(config.voteCooldownSeconds)
  const name = decodeStored(target.name)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeVoteDialog()}
      title={
        <span className={styles.title}>
          <ServerLogo src={target.logoUrl} name={name} size={44} />
          <span>{t('title', { server: name })}</span>
        </span>
      }
      description={t('rule', { every })}
    >
      <VotePanel key={target.id} target={target} name={name} />
    </Dialog>
  )
}
