/** How a refused vote is said, and where. */
import type { ApiError } from '@/lib/errors'

interface FieldRefusal {
  where: 'nickname'
  key: 'problem.nicknameLength' | 'problem.nicknameCharacters' | 'problem.nicknameGame'
}

interface FormRefusal {
  where: 'form'
  key:
    'refusal.captcha' | 'refusal.server' | 'refusal.tooMany' | 'refusal.banned' | 'refusal.offline' | 'refusal.failed'
}

export type VoteRefusal = FieldRefusal | FormRefusal

const BY_CODE: Readonly<Record<string, VoteRefusal>> = {
  nickname_length: { where: 'nickname', key: 'problem.nicknameLength' },
  nickname_characters: { where: 'nickname', key: 'problem.nicknameCharacters' },
  nickname_pattern: { where: 'nickname', key: 'problem.nicknameGame' },
  captcha_failed: { where: 'form', key: 'refusal.captcha' },
  server_not_found: { where: 'form', key: 'refusal.server' },
  too_many_requests: { where: 'form', key: 'refusal.tooMany' },
  banned: { where: 'form', key: 'refusal.banned' },
  offline: { where: 'form', key: 'refusal.offline' },
}

export function voteRefusal(error: ApiError): VoteRefusal {
  const known = Object.hasOwn(BY_CODE, error.code) ? BY_CODE[error.code] : undefined
  return known ?? { where: 'form', key: 'refusal.failed' }
}

/** Why there is no solved challenge: the network, too many asked for, the site, or this browser. */
export function captchaFailure(error: ApiError): 'offline' | 'tooMany' | 'down' | 'failed' {
  if (error.code === 'offline') return 'offline'
  if (error.status === 429) return 'tooMany'
  return error.status >= 500 ? 'down' : 'failed'
}

/** Seconds to wait, when the refusal is that one has voted already; null for every other. */
export function waitOf(error: ApiError): number | null {
  const seconds = error.details.nextVoteSeconds
  return error.code === 'already_voted' && typeof seconds === 'number' ? Math.max(1, seconds) : null
}

/** Whether a solved challenge is used up by this refusal. */
export function spendsCaptcha(error: ApiError): boolean {
  return error.code !== 'offline' && !error.code.startsWith('nickname_') && error.status < 500
}
