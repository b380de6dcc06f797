/** One vote, from the nickname to the receipt. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { captchaQuery, SOLVES_ITSELF } from '@/entities/captcha/queries'
import type { VoteTarget } from '@/entities/vote/dialog'
import { castVoteMutation } from '../api/cast-vote'

export function useVote({ id, ticket }: VoteTarget, { solve }: { solve: boolean }) {
  // Solved in the background from the moment the dialog opens.
  const captcha = useQuery({ ...captchaQuery({ purpose: 'vote', serverId: id }), enabled: solve && SOLVES_ITSELF })
  return { captcha, vote: useMutation(castVoteMutation(id, ticket)) }
}
