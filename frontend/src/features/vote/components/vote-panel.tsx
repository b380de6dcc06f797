import { useState } from 'react'
import { useNow } from '@/components/ui/use-now'
import { useNextVote } from '@/lib/vote-state'
import type { VoteTarget } from '@/lib/vote-dialog'
import { useVote } from '../model/use-vote'
import { CooldownNotice } from './cooldown-notice'
import { VoteForm } from './vote-form'
import { VoteReceipt } from './vote-receipt'

/** What the dialog holds: the receipt of a vote just cast, the wait for the next, or the form. */
export function VotePanel({ target, name }: { target: VoteTarget; name: string }) {
  const now = useNow()
  const nextVote = useNextVote(target.id)
  const waiting = nextVote !== null && nextVote > now
  const { captcha, vote } = useVote(target.id, { solve: !waiting })
  const [figureBefore] = useState(target.monthlyVotes)

  if (vote.isSuccess) {
    const until = nextVote ?? vote.data.nextVoteAt * 1000
    return (
      <VoteReceipt
        receipt={vote.data}
        nickname={vote.variables}
        name={name}
        before={figureBefore}
        seconds={(until - now) / 1000}
      />
    )
  }
  if (waiting) return <CooldownNotice name={name} until={nextVote} now={now} />
  return <VoteForm target={target} captcha={captcha} vote={vote} />
}
