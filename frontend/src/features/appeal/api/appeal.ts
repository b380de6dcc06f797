/** An appeal by somebody who cannot sign in, through the link of the email about the ban. */
import { mutationOptions } from '@tanstack/react-query'
import { functionError } from '@/lib/api/errors'
import { publicFunctions } from '@/lib/api/functions'

/** The parameters of the link in the email. */
export interface AppealLink {
  decision: string
  token: string
}

export type Outcome = 'filed' | 'known' | 'closed'

async function sendAppeal({ decision, token }: AppealLink, message: string): Promise<Outcome> {
  const query = new URLSearchParams({ decision, token })
  const { data, error } = await publicFunctions.invoke<{ outcome: Outcome }>(`appeal?${query.toString()}`, {
    body: { message },
  })
  if (error !== null) throw await functionError(error)
  return data?.outcome ?? 'closed'
}

export const appealMutation = (link: AppealLink) =>
  mutationOptions({ mutationFn: (message: string) => sendAppeal(link, message) })
