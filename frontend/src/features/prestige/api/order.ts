import { mutationOptions } from '@tanstack/react-query'
import { paymentKeys } from '@/entities/payment/keys'
import { ApiError, functionError } from '@/lib/api/errors'
import { ownFunctions } from '@/lib/api/functions'
import type { Language } from '@/lib/i18n/languages'

interface Order {
  serverId: string
  days: number
  language: Language
  beginsAtOnce: boolean
}

/** Returns the URL of the payment. A repeated order continues the one in progress. */
async function order(body: Order): Promise<string> {
  const { data, error } = await (await ownFunctions()).invoke<{ url: string }>('create-prestige-payment', { body })
  if (error !== null) throw await functionError(error)
  if (!data?.url) throw new ApiError('no_data', 'The answer is empty', 200)
  return data.url
}

export const orderMutation = () => mutationOptions({ mutationFn: order, meta: { invalidates: [paymentKeys.all] } })
