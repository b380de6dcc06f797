/**
 * The reasons for which votes did not count: the text of each of `public.vote_reasons`, in the
 * namespace `vote-outcomes`.
 */
const WORDS = {
  banned_account: 'bannedAccount',
  banned_address: 'bannedAddress',
  banned_network: 'bannedNetwork',
  captcha: 'captcha',
  captcha_spent: 'captchaSpent',
  cooldown: 'cooldown',
  limit_address: 'limitAddress',
  limit_network: 'limitNetwork',
  limit_server: 'limitServer',
  nickname: 'nickname',
  nickname_refused: 'nicknameRefused',
  not_listed: 'notListed',
  ticket: 'ticket',
  too_fast: 'tooFast',
  automated: 'automated',
  bought: 'bought',
  proxies: 'proxies',
  trial: 'trial',
  other: 'other',
} as const

export type ReasonWords = (typeof WORDS)[keyof typeof WORDS]

/** A reason that is unknown here gets a general text. */
export const reasonWords = (code: string): ReasonWords =>
  Object.hasOwn(WORDS, code) ? WORDS[code as keyof typeof WORDS] : WORDS.other
