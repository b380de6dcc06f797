/**
 * The tags and attributes that owners may use: one list for the editor, for the page that shows the
 * text, and for the test that compares it with what the database strips. Headings start below the
 * page's own levels.
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

/** Links must be http or https. */
export const LINKS = /^https?:\/\//i

export const HEADINGS = [3, 4] as const
