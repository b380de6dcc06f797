/**
 * Owners' texts are stored with five characters escaped. Decoding gives what the owner wrote, as
 * plain text: it is safe where React writes text, and must be sanitised before it is used as HTML.
 */

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/** Decodes each of the five entities once. */
export function decodeStored(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** A run of text and how it is marked. */
export interface MarkedRun {
  text: string
  mark: 'none' | 'strong' | 'em'
}

/** Splits `**bold**` and `*italic*`; a star without its partner stays a star. */
export function markedRuns(text: string): MarkedRun[] {
  const runs: MarkedRun[] = []
  let rest = 0
  for (const found of text.matchAll(/\*\*(?=\S)([^*]*[^*\s])\*\*|\*(?=\S)([^*]*[^*\s])\*/g)) {
    if (found.index > rest) runs.push({ text: text.slice(rest, found.index), mark: 'none' })
    runs.push(found[1] === undefined ? { text: found[2] ?? '', mark: 'em' } : { text: found[1], mark: 'strong' })
    rest = found.index + found[0].length
  }
  if (rest < text.length) runs.push({ text: text.slice(rest), mark: 'none' })
  return runs
}

/** Those that stand within a word; where any other begins or ends, a word does. */
const INLINE = /^<\/?(?:a|b|code|em|i|s|span|strong|u)(?![a-z0-9])/i
const TAGS = /<[a-z/!][^>]*(?:>|$)/gi

/**
 * A stored text on one line without tags, its marks still in it. The server does the same
 * (`crates/ranking/src/model/plain_text.rs`); both are held to `stored-text.vectors.json`.
 */
export function oneLine(stored: string): string {
  return decodeStored(stored)
    .replace(/(<)?((?:<[a-z/!][^>]*(?:>|$))+)/gi, (_, sign: string | undefined, tags: string) => {
      // A sign that stood before a tag must not begin one with what follows.
      if (sign !== undefined) return '< '
      return (tags.match(TAGS) ?? []).every((tag) => INLINE.test(tag)) ? '' : ' '
    })
    .replace(/\s+/g, ' ')
    .trim()
}

/** The text without tags and marks on one line, for previews and descriptions of pages. */
export function plainText(stored: string): string {
  return markedRuns(oneLine(stored))
    .map((run) => run.text)
    .join('')
}

/**
 * Cuts at `length` characters, at a word's end where one is near, and says so with an ellipsis. The server does the
 * same (`crates/site-pages/src/html.rs`); both are held to `stored-text.vectors.json`.
 */
export function shorten(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  const cut = characters.slice(0, length)
  const word = cut.findLastIndex((character) => /\s/.test(character))
  return `${(word > length * 0.7 ? cut.slice(0, word) : cut).join('').trimEnd()}…`
}
