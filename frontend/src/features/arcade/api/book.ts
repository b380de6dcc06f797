import { mutationOptions } from '@tanstack/react-query'
import { arcadeKeys } from '@/entities/arcade/keys'
import { paymentKeys } from '@/entities/payment/keys'
import { ApiError, functionError } from '@/lib/api/errors'
import { ownFunctions } from '@/lib/api/functions'
import type { Language } from '@/lib/i18n/languages'
import { BOOKING_REFUSALS } from '../model/refusals'

interface Booking {
  position: number
  startDate: string
  endDate: string
  imageUrl: string
  websiteUrl: string | null
  serverId: string | null
  language: Language
  beginsAtOnce: boolean
}

/** Holds the days and returns the URL of the payment. */
async function book(body: Booking): Promise<string> {
  const { data, error } = await (await ownFunctions()).invoke<{ url: string }>('create-arcade-spot-payment', { body })
  if (error !== null) throw await functionError(error)
  if (!data?.url) throw new ApiError('no_data', 'The answer is empty', 200)
  return data.url
}

/**
 * Waits for the taken days to be read again, so that a person who lost a race sees the remaining
 * days.
 */
export const bookMutation = () =>
  mutationOptions({
    mutationFn: book,
    meta: {
      invalidates: [paymentKeys.all, arcadeKeys.all],
      waits: true,
      failed: 'arcade:failed',
      refusals: BOOKING_REFUSALS,
    },
  })
