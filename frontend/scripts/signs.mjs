/**
 * Characters that no text of the interface may contain: keyboard substitutes for typeset
 * characters, and stray spaces.
 */
const REFUSED = [
  { pattern: /['"]/u, instead: 'a typographic apostrophe or quotation mark' },
  { pattern: /\.\.\./u, instead: 'the character …' },
  { pattern: / {2}|^\s|\s$/u, instead: 'one space, between words only' },
]

/** The correct character for each refused one in a text; placeholders are not checked. */
export function keyboardSubstitutes(text) {
  const prose = text.replaceAll(/\{\{[^}]*\}\}/g, 'x')
  return REFUSED.filter(({ pattern }) => pattern.test(prose)).map(({ instead }) => instead)
}
