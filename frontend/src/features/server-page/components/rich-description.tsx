/** An owner's HTML after sanitising: a fixed list of tags and attributes, links that vouch for nothing. */
import DOMPurify from 'dompurify'
import styles from './rich-description.module.css'

const purifier = DOMPurify(window)

purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener nofollow ugc')
})

/** Headings start below the page's own. */
const TAGS = [
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
]

export function sanitise(html: string): string {
  const lowered = html.replace(/<(\/?)h[12](?=[\s>])/gi, '<$1h3')
  return purifier.sanitize(lowered, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'title'],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
}

export function RichDescription({ html }: { html: string }) {
  return <div className={styles.rich} dangerouslySetInnerHTML={{ __html: sanitise(html) }} />
}
