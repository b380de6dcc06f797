/**
 * A page of prose that the build has parsed from Markdown: the browser neither parses nor sanitises
 * it.
 */

export interface ArticleHeading {
  id: string
  text: string
  level: 2 | 3
}

export type CalloutTone = 'note' | 'tip' | 'warning'

export interface ArticleCode {
  language: string
  code: string
}

export type ArticleBlock =
  | { kind: 'html'; html: string }
  | { kind: 'callout'; tone: CalloutTone; blocks: ArticleBlock[] }
  | { kind: 'steps'; steps: ArticleBlock[][] }
  | { kind: 'code'; label: string; versions: [ArticleCode, ...ArticleCode[]] }

export interface Article {
  title: string
  headings: ArticleHeading[]
  blocks: ArticleBlock[]
}
