/** An objection of somebody who cannot sign in, by the link of the mail that told them. */
import { mutationOptions } from '@tanstack/react-query'
import { functionError } from '@/lib/api/errors'
import { publicFunctions } from '@/lib/api/functions'

/** What the address in the mail says. */
export interface AppealLink {
  decision: string
  token: string
}

export type Outcome = 'filed' | 'known' | 'closed'

async function sendAppeal({ decision, token }: AppealLink, message: string): Promise<Outcome> {
  const asked = new URLSearchParams({ decision, token })
  const { data, error } = await publicFunctions.invoke<{ outcome: Outcome }>(`appeal?${asked.toString()}`, {
    body: { message },
  })
  if (error !== null) throw await functionError(error)
  return data?.outcome ?? 'closed'
}

export const appealMutation = (told: AppealLink) =>
  mutationOptions({ mutationFn: (message: string) => sendAppeal(told, message) })
