const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/**
 * The pattern that finds a typed text inside stored names, which are HTML-escaped. The API reads `*` as `%`, so a
 * typed star matches any one character.
 */
export function searchPattern(text: string): string {
  const stored = text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)
  return `%${stored.replace(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '_')}%`
}
