import { useState } from 'react'
import { useNextVote } from '@/entities/vote/state'
import type { VoteTarget } from '@/entities/vote/dialog'
import { useVoteRound } from '@/entities/vote/round'
import { useIsFuture } from '../model/use-is-future'
import { useVote } from '../model/use-vote'
import { CooldownNotice } from './cooldown-notice'
import { RoundLine } from './round-line'
import { VoteForm } from './vote-form'
import { VoteReceipt } from './vote-receipt'

/** The content of the dialog: the receipt of a vote, the cooldown, or the form. */
export function VotePanel({ target, name }: { target: VoteTarget; name: string }) {
  const nextVote = useNextVote(target.id)
  const waiting = useIsFuture(nextVote)
  const { captcha, vote } = useVote(target, { solve: !waiting })
  const [figureBefore] = useState(target.monthlyVotes)

  const round = useVoteRound(target.id)
  const line = round && <RoundLine round={round} skips={!vote.isSuccess} />
  const next = round?.next ?? null

  if (vote.isSuccess)
    return (
      <>
        {line}
        <VoteReceipt
          target={target}
          receipt={vote.data}
          nickname={vote.variables}
          name={name}
          before={figureBefore}
          until={nextVote ?? vote.data.nextVoteAt * 1000}
          next={next}
        />
      </>
    )
  return (
    <>
      {line}
      {waiting && nextVote !== null ? (
        <CooldownNotice name={name} until={nextVote} next={next} />
      ) : (
        <VoteForm target={target} captcha={captcha} vote={vote} />
      )}
    </>
  )
}
