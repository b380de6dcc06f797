/**
 * The registry of words and phrases (`docs/glossary.md`) as the check reads it: for each language
 * the refused words, and the words to use instead.
 */
import { existsSync, readFileSync } from 'node:fs'

const LANGUAGES = ['fr', 'en', 'es']
const RULE = /^\|(?: -+ \|)+$/

/** language -> the refused words, each with its replacement. */
export function refusedWords(path) {
  const lines = (existsSync(path) ? readFileSync(path, 'utf8') : '').split('\n')
  const rows = lines
    .filter((line, index) => line.startsWith('|') && !RULE.test(line) && !RULE.test(lines[index + 1] ?? ''))
    .map((line) => line.split('|').slice(1, -1))
  return Object.fromEntries(
    LANGUAGES.map((language, index) => [
      language,
      rows.flatMap((cells) =>
        (cells[4 + index] ?? '')
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== '')
          .map((word) => ({ word, instead: cells[1 + index].trim(), pattern: patternOf(word) })),
      ),
    ]),
  )
}

/**
 * Matches whole words, case-insensitively. Part of a word with a hyphen is another word: `mail` is
 * not in `e-mail`.
 */
function patternOf(word) {
  const source = word
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/['’]/g, "['’]")
    .replaceAll(/\s+/g, String.raw`\s+`)
    .replaceAll('*', String.raw`\p{L}*`)
  return new RegExp(String.raw`(?<![\p{L}\d-])${source}(?![\p{L}\d])`, 'iu')
}

/** The refused words of a text; placeholders, URLs and code are not checked. */
export function refusedWordsIn(text, refused) {
  const prose = text.replaceAll(/\{+[^}]*\}+|https?:\S+|`[^`]*`|<[^>]*>/g, ' ')
  return refused.filter(({ pattern }) => pattern.test(prose))
}
