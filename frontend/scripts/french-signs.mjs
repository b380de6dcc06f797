/**
 * French sets a blank before its tall signs and inside its quotation marks; one that breaks would let a line begin with
 * the sign. Before ; ! ? stands a narrow one (U+202F), before : and inside « » one of full width (U+00A0).
 */
const NARROW = '\u202f'
const FULL = '\u00a0'

/** The places of a French text that are set otherwise, each with a word before and after it. */
export function misplacedSigns(text) {
  const misplaced = [
    // Letters, marks and placeholders are followed by the sign; addresses and figures of a clock hold it elsewhere.
    new RegExp(`[^${NARROW}\\s][;!?](?=[\\s»"]|$)|[ ${FULL}][;!?]`, 'gu'),
    new RegExp(`[^${FULL}\\s]:(?=\\s|$)|[ ${NARROW}]:`, 'gu'),
    new RegExp(`«(?!${FULL})|(?<!${FULL})»`, 'gu'),
  ]
  return misplaced.flatMap((signs) =>
    [...text.matchAll(signs)].map(({ index, 0: found }) =>
      text.slice(Math.max(0, index - 12), index + found.length + 12),
    ),
  )
}

/** What of a page of Markdown is prose: no code, no addresses, no marks of its own. */
export function proseOf(markdown) {
  return markdown
    .replaceAll(/^```[^]*?^```$/gmu, '')
    .replaceAll(/`[^`]*`/gu, '')
    .replaceAll(/\]\([^)]*\)|\[![A-Z]+\]|https?:\S+/gu, '')
}
