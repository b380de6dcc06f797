/** Reminders of the next possible vote. */
import { mutationOptions } from '@tanstack/react-query'
import { ApiError, functionError } from '@/lib/api/errors'
import { ownFunctions, publicFunctions } from '@/lib/api/functions'
import type { Language } from '@/lib/i18n/languages'
import { subscribe, subscribed } from '../model/reminding'

const NAME = 'vote-reminder'

interface Answer<T> {
  data: T | null
  error: Parameters<typeof functionError>[0] | null
}

async function answerOf<T>({ data, error }: Answer<T>): Promise<T> {
  if (error !== null) throw await functionError(error)
  if (data === null) throw new ApiError('no_data', 'The answer is empty', 200)
  return data
}

interface ReminderRequest {
  serverId: string
  language: Language
}

/** Requests a reminder; returns its time in milliseconds. */
async function ask(request: ReminderRequest): Promise<number> {
  const { publicKey } = await answerOf(await publicFunctions.invoke<{ publicKey: string }>(NAME, { method: 'GET' }))
  const subscription = await subscribe(publicKey)
  const functions = await ownFunctions()
  const body = { subscription, ...request }
  return (await answerOf(await functions.invoke<{ remindAt: number }>(NAME, { body }))).remindAt * 1000
}

async function end(serverId: string): Promise<void> {
  const endpoint = await subscribed()
  if (endpoint === null) return
  await answerOf(await publicFunctions.invoke<object>(NAME, { method: 'DELETE', body: { endpoint, serverId } }))
}

const REFUSALS = { push_denied: 'vote:remind.denied', push_unavailable: 'vote:remind.unavailable' } as const

export const askReminderMutation = () =>
  mutationOptions({ mutationFn: ask, meta: { failed: 'vote:remind.failed', refusals: REFUSALS } })

export const endReminderMutation = () => mutationOptions({ mutationFn: end, meta: { failed: 'vote:remind.notEnded' } })
