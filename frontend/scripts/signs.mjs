/** Signs that no text of the interface has: what a keyboard gives in place of a typeset one, and stray blanks. */
const REFUSED = [
  { pattern: /['"]/u, instead: 'a typographic apostrophe or quotation mark' },
  { pattern: /\.\.\./u, instead: 'the sign …' },
  { pattern: / {2}|^\s|\s$/u, instead: 'one blank, between words only' },
]

/** What should stand in the place of each such sign of a text; what is filled in is not ours to set. */
export function untypeset(text) {
  const set = text.replaceAll(/\{\{[^}]*\}\}/g, 'x')
  return REFUSED.filter(({ pattern }) => pattern.test(set)).map(({ instead }) => instead)
}
