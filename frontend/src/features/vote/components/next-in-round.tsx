import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { openVoteDialog, type VoteTarget } from '@/entities/vote/dialog'

/** Leads to the next server of a round; it has the focus, so that one key press is enough. */
export function NextInRound({ next }: { next: VoteTarget }) {
  const { t } = useTranslation('vote')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  return (
    <Button ref={button} variant="primary" size="large" wide icon="arrow-right" onClick={() => openVoteDialog(next)}>
      {t('round.next', { server: decodeStored(next.name) })}
    </Button>
  )
}
