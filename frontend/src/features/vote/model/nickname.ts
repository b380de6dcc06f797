/** Validation of nicknames: the site's rule, and the stricter one of a game. */

const NICKNAME_LENGTH = { min: 2, max: 50 } as const

export type NicknameProblem = 'nicknameLength' | 'nicknameCharacters' | 'nicknameGame' | 'nicknameRefused'

/** Letters and digits of any script, spaces, and the punctuation of player names. */
const ALLOWED = /^[\p{Alphabetic}\p{N} _\-.'#@[\]()|~!+*=$^:,]*$/u

/** Some letters are invisible: the fillers of Hangul, for instance. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u

/**
 * The problem of a nickname, or null. Surrounding spaces are ignored; the length is checked first.
 */
export function nicknameProblem(text: string, gamePattern?: string | null): NicknameProblem | null {
  const name = text.trim()
  const length = [...name].length
  if (length < NICKNAME_LENGTH.min || length > NICKNAME_LENGTH.max) return 'nicknameLength'
  if (!ALLOWED.test(name) || UNSEEN.test(name)) return 'nicknameCharacters'
  return gamePattern && !matchesWhole(gamePattern, name) ? 'nicknameGame' : null
}

/** A pattern that the browser cannot compile is skipped; the server checks it. */
function matchesWhole(pattern: string, name: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(name)
  } catch {
    return true
  }
}
