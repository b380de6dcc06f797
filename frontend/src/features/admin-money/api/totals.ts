import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { paymentKeys } from '@/entities/payment/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import type { Period } from '../model/period'

/** Revenue and refunds of the orders of a period, by kind. */
export const totalsQuery = ({ from, until }: Period) =>
  queryOptions({
    queryKey: paymentKeys.totals(from, until),
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .rpc('get_payment_totals', {
            ...(from !== null && { p_from: from }),
            ...(until !== null && { p_until: until }),
          })
          .abortSignal(signal),
      ),
    placeholderData: keepPreviousData,
  })
