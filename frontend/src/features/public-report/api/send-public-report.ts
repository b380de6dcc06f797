import { mutationOptions } from '@tanstack/react-query'
import { captchaKeys } from '@/entities/captcha/keys'
import { captchaQuery } from '@/entities/captcha/queries'
import { functionError, toApiError } from '@/lib/api/errors'
import { publicFunctions } from '@/lib/api/functions'
import type { Language } from '@/lib/i18n/languages'
import type { Refusals } from '@/lib/i18n/refusal'
import type { PublicReport } from '../model/public-report'
import type { PublicReportTarget } from './target'

interface RequestBody extends Omit<PublicReport, 'isTrue'> {
  captcha: string
  language: Language
}

/**
 * Succeeds even if a report by this person about the same is pending, so that nobody learns what
 * others reported.
 */
async function sendPublicReport({ server, review }: PublicReportTarget, body: RequestBody): Promise<void> {
  const { error } = await publicFunctions.invoke('content-notice', {
    body: { serverId: server.id, ...(review && { reviewId: review.id }), ...body },
  })
  if (error !== null) throw await functionError(error)
}

export const sendPublicReportMutation = (target: PublicReportTarget, language: Language) =>
  mutationOptions({
    networkMode: 'always',
    mutationFn: async ({ isTrue: _agreed, ...report }: PublicReport, { client }) => {
      const scope = { purpose: 'notice', serverId: target.server.id ?? '' } as const
      const { payload } = await client.fetchQuery(captchaQuery(scope))
      return sendPublicReport(target, { ...report, language, captcha: payload })
    },
    onError: (cause, _report, _result, { client }) => {
      if (toApiError(cause).code !== 'captcha_failed') return
      void client.resetQueries({ queryKey: captchaKeys.of('notice', target.server.id ?? '') })
    },
  })

/** Texts that differ for public reports. */
export const PUBLIC_REPORT_REFUSALS: Refusals = {
  too_many_requests: 'public-report:refusal.tooMany',
  captcha_failed: 'public-report:refusal.captcha',
  captcha_needed: 'public-report:refusal.captchaNeeded',
  captcha_unavailable: 'captcha:state.down',
}
