import type { ReactNode } from 'react'

export interface SentenceProps {
  /** A translated sentence in which one part is marked `<part>…</part>`. */
  text: string
  /** Renders that part: as a link, a clock, in bold. */
  part: (words: string) => ReactNode
}

/** The first opening and the last closing tag, so that a name that contains a tag stays whole. */
const MARKED = /^(.*?)<part>(.*)<\/part>(.*)$/s

/** A sentence with an element in it. Each language decides where the element stands. */
export function Sentence({ text, part }: SentenceProps) {
  const [, before, words, after] = MARKED.exec(text) ?? []
  if (words === undefined) return text
  return (
    <>
      {before}
      {part(words)}
      {after}
    </>
  )
}
