/**
 * Removes everything but the allowed tags from an owner's HTML; links get `rel` values that give
 * them no weight.
 */
import DOMPurify from 'dompurify'
import { ATTRIBUTES, LINKS, TAGS } from './allowed'

const purifier = DOMPurify(window)

purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener nofollow ugc')
})

export function sanitise(html: string): string {
  const lowered = html.replace(/<(\/?)h[12](?=[\s>])/gi, '<$1h3')
  return purifier.sanitize(lowered, {
    ALLOWED_TAGS: [...TAGS],
    ALLOWED_ATTR: [...ATTRIBUTES],
    ALLOWED_URI_REGEXP: LINKS,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
}
