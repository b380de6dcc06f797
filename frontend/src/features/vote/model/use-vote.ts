/** One vote from the name to the receipt: waits for the challenge, sends, keeps what to remember. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toApiError } from '@/lib/errors'
import { keepNextVote } from '@/lib/vote-state'
import { captchaKey, captchaQuery } from '../api/captcha'
import { castVote, type Receipt } from '../api/cast-vote'
import { rememberNickname } from './nickname'
import { spendsCaptcha, waitOf } from './refusal'

export function useVote(serverId: string, { solve }: { solve: boolean }) {
  const queries = useQueryClient()
  // Solved in the background from the moment the dialog opens.
  const captcha = useQuery({ ...captchaQuery(serverId), enabled: solve })

  const vote = useMutation({
    mutationFn: async (nickname: string): Promise<Receipt> => {
      const { payload } = await queries.fetchQuery(captchaQuery(serverId))
      return castVote({ serverId, nickname, captcha: payload })
    },
    onSuccess: (receipt, nickname) => {
      rememberNickname(nickname)
      keepNextVote(serverId, Date.now() + receipt.nextVoteSeconds * 1000)
      queries.removeQueries({ queryKey: captchaKey(serverId) })
      void queries.invalidateQueries({ queryKey: ['servers'] })
      void queries.invalidateQueries({ queryKey: ['own', 'votes'] })
    },
    onError: (cause) => {
      const error = toApiError(cause)
      const wait = waitOf(error)
      if (wait !== null) keepNextVote(serverId, Date.now() + wait * 1000)
      else if (spendsCaptcha(error)) void queries.resetQueries({ queryKey: captchaKey(serverId) })
    },
  })

  return { captcha, vote }
}
