/**
 * French typography sets a space before tall punctuation marks and inside quotation marks; the
 * space must not break, or a line could begin with the mark. Before ; ! ? it is narrow (U+202F),
 * before : and inside « » it has full width (U+00A0).
 */
const NARROW = '\u202f'
const FULL = '\u00a0'

/** The places of a French text with a wrong space, each with the word before and after it. */
export function misplacedSpaces(text) {
  const patterns = [
    // Letters, punctuation and placeholders are followed by the mark; URLs and times contain it
    // without a space.
    new RegExp(`[^${NARROW}\\s][;!?](?=[\\s»"]|$)|[ ${FULL}][;!?]`, 'gu'),
    new RegExp(`[^${FULL}\\s]:(?=\\s|$)|[ ${NARROW}]:`, 'gu'),
    new RegExp(`«(?!${FULL})|(?<!${FULL})»`, 'gu'),
  ]
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) =>
      text.slice(Math.max(0, index - 12), index + found.length + 12),
    ),
  )
}

/** The prose of a Markdown page, without code, URLs and Markdown syntax. */
export function proseOf(markdown) {
  return markdown
    .replaceAll(/^```[^]*?^```$/gmu, '')
    .replaceAll(/`[^`]*`/gu, '')
    .replaceAll(/\]\([^)]*\)|\[![A-Z]+\]|https?:\S+/gu, '')
}
