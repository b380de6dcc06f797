/** The fields for setting up a second factor. */
import type { TFunction } from 'i18next'
import * as v from 'valibot'
import { oneTimeCode } from '@/lib/text/rules'
import { readPhone } from './phone'

export const FIRST_CODE = v.object({ code: oneTimeCode() })

/** Its output is the number in the service's format. */
export const phoneSchema = (t: TFunction<'account'>) =>
  v.object({
    phone: v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        const phone = readPhone(dataset.value)
        if (phone !== null) return phone
        addIssue({ message: t('refusal.phoneInvalid') })
        return NEVER
      }),
    ),
  })
