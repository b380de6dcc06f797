/** Why votes did not count: the words of each reason that `public.vote_reasons` has, in the texts `vote-outcomes`. */
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

/** Of one that is not known yet, the words for others. */
export const reasonWords = (code: string): ReasonWords =>
  Object.hasOwn(WORDS, code) ? WORDS[code as keyof typeof WORDS] : WORDS.other
