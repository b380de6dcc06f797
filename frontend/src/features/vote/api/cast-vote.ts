import { mutationOptions } from '@tanstack/react-query'
import { captchaKeys } from '@/entities/captcha/keys'
import { captchaQuery } from '@/entities/captcha/queries'
import { competitionKeys } from '@/entities/competition/keys'
import { serverKeys } from '@/entities/server/keys'
import { voteKeys } from '@/entities/vote/keys'
import { rememberNickname } from '@/entities/vote/nickname'
import { keepNextVote } from '@/entities/vote/state'
import { rememberVoted } from '@/entities/vote/voted-servers'
import { ApiError, functionError, toApiError } from '@/lib/api/errors'
import { ownFunctions } from '@/lib/api/functions'
import { spendsCaptcha, waitOf } from '../model/refusal'

interface Ballot {
  serverId: string
  nickname: string
  /** The solved challenge. */
  captcha: string
  ticket?: string
}

/** The server's response to an accepted vote. Timestamps are Unix seconds of its clock. */
export interface Receipt {
  voteId: string
  votedAt: number
  nextVoteAt: number
  nextVoteSeconds: number
  totalVotes: number
  monthlyVotes: number
}

async function castVote(ballot: Ballot): Promise<Receipt> {
  const functions = await ownFunctions()
  const { data, error } = await functions.invoke<{ success: boolean; data?: Receipt }>('vote', {
    body: ballot,
  })
  if (error !== null) throw await functionError(error)
  if (data?.data === undefined) throw new ApiError('no_data', 'The answer is empty', 200)
  return data.data
}

/**
 * Sends the vote with the nickname and the solved challenge, and stores when the next vote is
 * possible; the dialog shows the outcome.
 */
export const castVoteMutation = (serverId: string, ticket?: string | null) =>
  mutationOptions({
    // Without a network the vote is refused at once, rather than sent later when nobody expects it.
    networkMode: 'always',
    onMutate: rememberNickname,
    mutationFn: async (nickname: string, { client }): Promise<Receipt> => {
      const { payload } = await client.fetchQuery(captchaQuery({ purpose: 'vote', serverId }))
      return castVote({ serverId, nickname, captcha: payload, ...(ticket && { ticket }) })
    },
    onSuccess: (receipt, _nickname, _result, { client }) => {
      keepNextVote(serverId, Date.now() + receipt.nextVoteSeconds * 1000)
      rememberVoted(serverId)
      client.removeQueries({ queryKey: captchaKeys.of('vote', serverId) })
      client.setQueriesData<VoteTotals>({ queryKey: serverKeys.details }, (server) =>
        withReceipt(server, serverId, receipt),
      )
    },
    onError: (cause, _nickname, _result, { client }) => {
      const error = toApiError(cause)
      const wait = waitOf(error)
      if (wait !== null) keepNextVote(serverId, Date.now() + wait * 1000)
      else if (spendsCaptcha(error)) void client.resetQueries({ queryKey: captchaKeys.of('vote', serverId) })
    },
    meta: { invalidates: [...serverKeys.counted, competitionKeys.all, voteKeys.own, voteKeys.leaders] },
  })

/** The vote counts that all cached forms of a server share. */
interface VoteTotals {
  id: string
  total_votes: number
  monthly_votes: number
}

/** The receipt has the new figures, so the cache is updated without a request. */
function withReceipt(
  server: VoteTotals | null | undefined,
  serverId: string,
  receipt: Receipt,
): VoteTotals | undefined {
  if (!server || server.id !== serverId) return undefined
  return { ...server, total_votes: receipt.totalVotes, monthly_votes: receipt.monthlyVotes }
}
