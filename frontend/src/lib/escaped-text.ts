/**
 * The text of names and descriptions, which the database keeps HTML-escaped. Gives plain text to be drawn as text;
 * what is drawn as HTML has to be sanitised where it is drawn.
 */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
}

/** Undoes the database's escaping, once. */
export function decodeEscaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** A description as one line of plain text: no tags, no runs of white space. Stored text may hold escaped HTML. */
export function plainText(stored: string): string {
  const spaced = decodeEscaped(stored).replace(/<(?:br|\/p|\/li|\/h\d|\/div)[^>]*>/gi, ' ')
  return decodeEscaped(spaced.replace(/<[^>]*>/g, ''))
    .replace(/&nbsp;|\s+/g, ' ')
    .trim()
}

/** The first `limit` characters, cut at a word where one ends near, with an ellipsis. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = text.slice(0, limit)
  const space = head.lastIndexOf(' ')
  return `${head.slice(0, space > limit * 0.8 ? space : limit).trimEnd()}…`
}
