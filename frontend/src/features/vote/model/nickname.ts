/** Which names may be voted with: the site's rule, and the narrower one a game may have. */

const NICKNAME_LENGTH = { min: 2, max: 50 } as const

export type NicknameProblem = 'nicknameLength' | 'nicknameCharacters' | 'nicknameGame' | 'nicknameRefused'

/** Letters and digits of any script, blanks, and the marks player names carry. */
const ALLOWED = /^[\p{Alphabetic}\p{N} _\-.'#@[\]()|~!+*=$^:,]*$/u

/** Some letters draw nothing: the fillers of Hangul, for instance. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u

/** What is wrong with a name, or null. Blanks around it do not count; length is judged first. */
export function nicknameProblem(text: string, gamePattern?: string | null): NicknameProblem | null {
  const name = text.trim()
  const length = [...name].length
  if (length < NICKNAME_LENGTH.min || length > NICKNAME_LENGTH.max) return 'nicknameLength'
  if (!ALLOWED.test(name) || UNSEEN.test(name)) return 'nicknameCharacters'
  return gamePattern && !matchesWhole(gamePattern, name) ? 'nicknameGame' : null
}

/** A pattern the browser cannot read decides nothing here; the server still judges. */
function matchesWhole(pattern: string, name: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(name)
  } catch {
    return true
  }
}
