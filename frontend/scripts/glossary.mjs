/**
 * The registry of words (`docs/glossary.md`), as the check reads it: for each language the words that must not be
 * written, and the one that says it.
 */
import { existsSync, readFileSync } from 'node:fs'

const LANGUAGES = ['fr', 'en', 'es']

/** language -> what is refused, each with the word to write instead. */
export function refusedWords(path) {
  const rows = (existsSync(path) ? readFileSync(path, 'utf8') : '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
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

/** The word alone, whatever its case; a star stands for any ending. */
function patternOf(word) {
  const stem = word.replace(/\*$/, '').replaceAll(/\s+/g, String.raw`\s+`)
  return new RegExp(String.raw`(?<![\p{L}\d])${stem}${word.endsWith('*') ? '' : String.raw`(?![\p{L}\d])`}`, 'iu')
}

/** The refused words of a text; what is filled in, addresses and code are not ours to word. */
export function misnamed(text, refused) {
  const prose = text.replaceAll(/\{+[^}]*\}+|https?:\S+|`[^`]*`|<[^>]*>/g, ' ')
  return refused.filter(({ pattern }) => pattern.test(prose))
}
