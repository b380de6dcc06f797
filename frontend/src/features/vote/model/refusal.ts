/** How a refused vote is said, and where. */
import type { ApiError } from '@/lib/api/errors'
import type { Refusals } from '@/lib/i18n/refusal'
import type { NicknameProblem } from './nickname'

const NICKNAMES: Readonly<Record<string, NicknameProblem>> = {
  nickname_length: 'nicknameLength',
  nickname_characters: 'nicknameCharacters',
  nickname_pattern: 'nicknameGame',
  nickname_refused: 'nicknameRefused',
}

/** What reads differently of a vote than of other things. */
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

/** What is wrong with the name; null where it is not to blame. */
export function nicknameRefusal(error: ApiError): NicknameProblem | null {
  return (Object.hasOwn(NICKNAMES, error.code) && NICKNAMES[error.code]) || null
}

/** Seconds to wait, when the refusal is that one has voted already; null for every other. */
export function waitOf(error: ApiError): number | null {
  const seconds = error.details.nextVoteSeconds
  return error.code === 'already_voted' && typeof seconds === 'number' ? Math.max(1, seconds) : null
}

/** Whether a solved challenge is used up by this refusal. */
export function spendsCaptcha(error: ApiError): boolean {
  return error.code !== 'offline' && !/^(?:nickname|ticket)_/.test(error.code) && error.status < 500
}
