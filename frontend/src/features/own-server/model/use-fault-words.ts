import { useTranslation } from '@/lib/i18n/i18n'

/** The server's error codes for deliveries. */
const FAULTS = {
  bad_address: 'badAddress',
  not_public: 'notPublic',
  name_not_found: 'nameNotFound',
  refused: 'refused',
  timed_out: 'timedOut',
  unreachable: 'unreachable',
  redirected: 'redirected',
  gone: 'gone',
  answer_too_long: 'answerTooLong',
  closed: 'closed',
  no_greeting: 'noGreeting',
  not_votifier: 'notVotifier',
  needs_token: 'needsToken',
  needs_key: 'needsKey',
  bad_key: 'badKey',
  wrong_token: 'wrongToken',
  wrong_challenge: 'wrongChallenge',
  name_too_long: 'nameTooLong',
  message_too_long: 'messageTooLong',
  listener_refused: 'listenerRefused',
  no_reply: 'noReply',
  bad_reply: 'badReply',
  switched_off: 'switchedOff',
} as const

/** The text for such a code; it includes a webhook's status. */
export function useFaultWords(): (fault: string, status: number | null) => string {
  const { t } = useTranslation('integrations')
  return (fault, status) => {
    if (Object.hasOwn(FAULTS, fault)) return t(`fault.${FAULTS[fault as keyof typeof FAULTS]}`)
    return fault === 'status' && status !== null ? t('fault.status', { status }) : t('fault.other')
  }
}
