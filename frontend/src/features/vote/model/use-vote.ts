/** One vote from the name to the receipt. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { captchaQuery, SOLVES_ITSELF } from '../api/captcha'
import { castVoteMutation } from '../api/cast-vote'

export function useVote(serverId: string, { solve }: { solve: boolean }) {
  // Solved in the background from the moment the dialog opens.
  const captcha = useQuery({ ...captchaQuery(serverId), enabled: solve && SOLVES_ITSELF })
  return { captcha, vote: useMutation(castVoteMutation(serverId)) }
}
