/**
 * What owners may write with: the one list, for the editor that makes it, the page that shows it, and the test that
 * holds it against what the database strips. Headings start below the page's own.
 */
export const TAGS = [
  'p',
  'br',
  'hr',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'ul',
  'ol',
  'li',
  'h3',
  'h4',
  'blockquote',
  'code',
  'pre',
  'a',
  'span',
] as const

export const ATTRIBUTES = ['href', 'title'] as const

/** Links lead to the web and nowhere else. */
export const LINKS = /^https?:\/\//i

export const HEADINGS = [3, 4] as const
