import { useState } from 'react'
import { useNextVote } from '@/lib/vote-state'
import type { VoteTarget } from '@/lib/vote-dialog'
import { useIsAhead } from '../model/use-is-ahead'
import { useVote } from '../model/use-vote'
import { CooldownNotice } from './cooldown-notice'
import { VoteForm } from './vote-form'
import { VoteReceipt } from './vote-receipt'

/** What the dialog holds: the receipt of a vote just cast, the wait for the next, or the form. */
export function VotePanel({ target, name }: { target: VoteTarget; name: string }) {
  const nextVote = useNextVote(target.id)
  const waiting = useIsAhead(nextVote)
  const { captcha, vote } = useVote(target.id, { solve: !waiting })
  const [figureBefore] = useState(target.monthlyVotes)

  if (vote.isSuccess) {
    const until = nextVote ?? vote.data.nextVoteAt * 1000
    return (
      <VoteReceipt
        target={target}
        receipt={vote.data}
        nickname={vote.variables}
        name={name}
        before={figureBefore}
        until={until}
      />
    )
  }
  if (waiting && nextVote !== null) return <CooldownNotice name={name} until={nextVote} />
  return <VoteForm target={target} captcha={captcha} vote={vote} />
}
