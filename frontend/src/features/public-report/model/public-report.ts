/** Validation of a public report. */
import type { TFunction } from 'i18next'
import * as v from 'valibot'
import { REPORT_REASONS } from '@/entities/report/reasons'
import { email, longest, oneOf, requiredText, shortest } from '@/lib/text/rules'

export const MAX_EXPLANATION = 2000
const MIN_EXPLANATION = 20
const MAX_NAME = 100
const MAX_EMAIL = 254

export function publicReportSchema(t: TFunction<'public-report'>) {
  return v.object({
    reason: oneOf(REPORT_REASONS, t('problem.reason')),
    explanation: v.pipe(v.string(), v.trim(), shortest(MIN_EXPLANATION), longest(MAX_EXPLANATION)),
    name: requiredText(MAX_NAME),
    email: v.pipe(email(), longest(MAX_EMAIL)),
    isTrue: v.pipe(
      v.boolean(),
      v.check((agreed) => agreed, t('problem.isTrue')),
    ),
  })
}

export type PublicReport = v.InferOutput<ReturnType<typeof publicReportSchema>>
