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

/** What the server answers to a vote it took. Moments are Unix seconds by its clock. */
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

/** Takes the name, waits for the challenge, and keeps when the next vote may be; the dialog says how it went. */
export const castVoteMutation = (serverId: string, ticket?: string | null) =>
  mutationOptions({
    // Refused at once without a network, rather than sent when nobody expects it any more.
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

/** What every cached form of a server says of its votes. */
interface VoteTotals {
  id: string
  total_votes: number
  monthly_votes: number
}

/** The receipt has the new figures, so nobody waits for them to be read. */
function withReceipt(
  server: VoteTotals | null | undefined,
  serverId: string,
  receipt: Receipt,
): VoteTotals | undefined {
  if (!server || server.id !== serverId) return undefined
  return { ...server, total_votes: receipt.totalVotes, monthly_votes: receipt.monthlyVotes }
}
