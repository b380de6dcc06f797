/**
 * Characters that no text of the interface may contain: keyboard substitutes for typeset
 * characters, and stray spaces.
 */
const REFUSED = [
  { pattern: /['"]/u, instead: 'a typographic apostrophe or quotation mark' },
  { pattern: /\.\.\./u, instead: 'the sign …' },
  { pattern: / {2}|^\s|\s$/u, instead: 'one blank, between words only' },
]

/** The correct character for each refused one in a text; placeholders are not checked. */
export function untypeset(text) {
  const set = text.replaceAll(/\{\{[^}]*\}\}/g, 'x')
  return REFUSED.filter(({ pattern }) => pattern.test(set)).map(({ instead }) => instead)
}
