/** The text of a refused vote, and where it is shown. */
import type { ApiError } from '@/lib/api/errors'
import type { Refusals } from '@/lib/i18n/refusal'
import type { NicknameProblem } from './nickname'

const NICKNAMES: Readonly<Record<string, NicknameProblem>> = {
  nickname_length: 'nicknameLength',
  nickname_characters: 'nicknameCharacters',
  nickname_pattern: 'nicknameGame',
  nickname_refused: 'nicknameRefused',
}

/** Texts that differ for votes. */
export const VOTE_REFUSALS: Refusals = {
  ticket_unknown: 'vote:refusal.ticketUnknown',
  ticket_expired: 'vote:refusal.ticketExpired',
  ticket_spent: 'vote:refusal.ticketSpent',
  ticket_required: 'vote:refusal.ticketRequired',
  captcha_failed: 'vote:refusal.captcha',
  captcha_needed: 'vote:refusal.captchaNeeded',
  captcha_unavailable: 'captcha:state.down',
  banned: 'vote:refusal.banned',
  banned_network: 'vote:refusal.bannedNetwork',
  limit_address: 'vote:refusal.limitAddress',
  limit_network: 'vote:refusal.limitNetwork',
  limit_server: 'vote:refusal.limitServer',
  offline: 'vote:refusal.offline',
  unknown: 'vote:refusal.failed',
  internal_error: 'vote:refusal.failed',
  overloaded: 'vote:refusal.failed',
}

/** The problem of the nickname; null if the refusal has another reason. */
export function nicknameRefusal(error: ApiError): NicknameProblem | null {
  return (Object.hasOwn(NICKNAMES, error.code) && NICKNAMES[error.code]) || null
}

/** Seconds of the remaining cooldown, if that is the reason; otherwise null. */
export function waitOf(error: ApiError): number | null {
  const seconds = error.details.nextVoteSeconds
  return error.code === 'already_voted' && typeof seconds === 'number' ? Math.max(1, seconds) : null
}

/** Whether a solved challenge is used up by this refusal. */
export function spendsCaptcha(error: ApiError): boolean {
  return error.code !== 'offline' && !/^(?:nickname|ticket)_/.test(error.code) && error.status < 500
}
