/** Validation of a report. */
import type { TFunction } from 'i18next'
import * as v from 'valibot'
import { REPORT_REASONS } from '@/entities/report/reasons'
import { oneOf, optionalText } from '@/lib/text/rules'

export const MAX_CUSTOM = 500

/** Only the reason "other" needs an explanation. */
export function reportSchema(t: TFunction<'report'>) {
  return v.pipe(
    v.object({ reason: oneOf(REPORT_REASONS, t('problem.reason')), custom: optionalText(MAX_CUSTOM) }),
    v.forward(
      v.partialCheck(
        [['reason'], ['custom']],
        ({ reason, custom }) => reason !== 'other' || custom !== '',
        t('problem.custom'),
      ),
      ['custom'],
    ),
  )
}
