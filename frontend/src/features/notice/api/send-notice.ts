import { mutationOptions } from '@tanstack/react-query'
import { captchaKeys } from '@/entities/captcha/keys'
import { captchaQuery } from '@/entities/captcha/queries'
import { functionError, toApiError } from '@/lib/api/errors'
import { publicFunctions } from '@/lib/api/functions'
import type { Language } from '@/lib/i18n/languages'
import type { Refusals } from '@/lib/i18n/refusal'
import type { Notice } from '../model/notice'
import type { NoticeTarget } from './target'

interface Letter extends Omit<Notice, 'isTrue'> {
  captcha: string
  language: Language
}

/** Also where one of theirs about the same waits: nobody learns what somebody else reported. */
async function sendNotice({ server, review }: NoticeTarget, letter: Letter): Promise<void> {
  const { error } = await publicFunctions.invoke('content-notice', {
    body: { serverId: server.id, ...(review && { reviewId: review.id }), ...letter },
  })
  if (error !== null) throw await functionError(error)
}

export const sendNoticeMutation = (target: NoticeTarget, language: Language) =>
  mutationOptions({
    networkMode: 'always',
    mutationFn: async ({ isTrue: _agreed, ...notice }: Notice, { client }) => {
      const deed = { purpose: 'notice', serverId: target.server.id ?? '' } as const
      const { payload } = await client.fetchQuery(captchaQuery(deed))
      return sendNotice(target, { ...notice, language, captcha: payload })
    },
    onError: (cause, _notice, _result, { client }) => {
      if (toApiError(cause).code !== 'captcha_failed') return
      void client.resetQueries({ queryKey: captchaKeys.of('notice', target.server.id ?? '') })
    },
  })

/** What reads differently of a notice than of other things. */
export const NOTICE_REFUSALS: Refusals = {
  too_many_requests: 'notice:refusal.tooMany',
  captcha_failed: 'notice:refusal.captcha',
  captcha_needed: 'notice:refusal.captchaNeeded',
  captcha_unavailable: 'captcha:state.down',
}
