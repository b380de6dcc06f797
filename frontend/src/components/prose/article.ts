/** A page of prose as the build has read it from Markdown: nothing of it is parsed or sanitised in the browser. */

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
