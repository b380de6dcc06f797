import { ApiError, functionError } from '@/lib/errors'
import { ownFunctions } from '@/lib/functions'

export interface Ballot {
  serverId: string
  nickname: string
  /** The solved challenge. */
  captcha: string
}

/** What the server answers to a vote it took. Moments are Unix seconds by its clock. */
export interface Receipt {
  votedAt: number
  nextVoteAt: number
  nextVoteSeconds: number
  totalVotes: number
  monthlyVotes: number
}

export async function castVote(ballot: Ballot): Promise<Receipt> {
  const functions = await ownFunctions()
  const { data, error } = await functions.invoke<{ success: boolean; data?: Receipt }>('vote', {
    body: ballot,
  })
  if (error !== null) throw await functionError(error)
  if (data?.data === undefined) throw new ApiError('no_data', 'The answer is empty', 200)
  return data.data
}
