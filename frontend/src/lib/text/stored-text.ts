/**
 * Owners' texts are stored with five characters escaped. Decoding returns the original as plain
 * text: it is safe where React writes text, and must be sanitised before it is used as HTML.
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

/** A run of text with its markup. */
export interface MarkedRun {
  text: string
  mark: 'none' | 'strong' | 'em'
}

/** Splits `**bold**` and `*italic*`; an unpaired star stays a star. */
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

/** Inline tags, which do not end a word; all other tags do. */
const INLINE = /^<\/?(?:a|b|code|em|i|s|span|strong|u)(?![a-z0-9])/i
const TAGS = /<[a-z/!][^>]*(?:>|$)/gi

/**
 * A stored text on one line without tags, with its `*` markup. The server does the same
 * (`crates/ranking/src/model/plain_text.rs`); `stored-text.vectors.json` tests both.
 */
export function oneLine(stored: string): string {
  return decodeStored(stored)
    .replace(/(<)?((?:<[a-z/!][^>]*(?:>|$))+)/gi, (_, sign: string | undefined, tags: string) => {
      // A `<` before a removed tag must not form a new tag with the following text.
      if (sign !== undefined) return '< '
      return (tags.match(TAGS) ?? []).every((tag) => INLINE.test(tag)) ? '' : ' '
    })
    .replace(/\s+/g, ' ')
    .trim()
}

/** The text without tags and markup on one line, for previews and descriptions of pages. */
export function plainText(stored: string): string {
  return markedRuns(oneLine(stored))
    .map((run) => run.text)
    .join('')
}

/**
 * Cuts a text at `length` characters, at the end of a word if one is near, and appends an ellipsis.
 * The server does the same (`crates/site-pages/src/html.rs`); `stored-text.vectors.json` tests
 * both.
 */
export function shorten(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  const cut = characters.slice(0, length)
  const word = cut.findLastIndex((character) => /\s/.test(character))
  return `${(word > length * 0.7 ? cut.slice(0, word) : cut).join('').trimEnd()}…`
}
