/** The reasons one can report for, and what a report must have. */
import type { TFunction } from 'i18next'
import * as v from 'valibot'
import { oneOf, optionalText } from '@/lib/rules'

export const REASONS = [
  'inappropriate_content',
  'spam',
  'fake_server',
  'malicious_content',
  'copyright',
  'other',
] as const

export type Reason = (typeof REASONS)[number]

export const MAX_CUSTOM = 500

/** Only another reason than the listed ones has to be explained. */
export function reportSchema(t: TFunction<'report'>) {
  return v.pipe(
    v.object({ reason: oneOf(REASONS, t('problem.reason')), custom: optionalText(MAX_CUSTOM) }),
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
