/** Unsubscribes the receiver of a weekly summary, or subscribes again. */
import { mutationOptions } from '@tanstack/react-query'
import { functionError } from '@/lib/api/errors'
import { publicFunctions } from '@/lib/api/functions'

/** The parameters of the link in an email. */
export interface MailRecipient {
  owner: string
  token: string
}

async function setWanted({ owner, token }: MailRecipient, wanted: boolean): Promise<void> {
  const query = new URLSearchParams({ owner, token })
  const { error } = await publicFunctions.invoke<{ wanted: boolean }>(`weekly-mail?${query.toString()}`, {
    body: { wanted },
  })
  if (error !== null) throw await functionError(error)
}

export const weeklyMailMutation = (holder: MailRecipient) =>
  mutationOptions({ networkMode: 'always', mutationFn: (wanted: boolean) => setWanted(holder, wanted) })
