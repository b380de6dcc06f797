import { isSlow } from './connection'

/**
 * An upload of the site's own at the width it is shown with, and at twice that for fine screens. Nothing for pictures from
 * elsewhere; for a GIF, which would stand still; and for what is shown about as wide as it is stored. On a slow
 * connection the small one has to do.
 */
export function sizesOf(src: string, width: number): string | undefined {
  const address = src.replace(/object(?=\/public\/server-images\/[^?#]+(?<!\.gif)$)/i, 'render/image') + '?width='
  return width > 500 || address.startsWith(src)
    ? undefined
    : `${address}${width} 1x` + (isSlow() ? '' : `, ${address}${width * 2} 2x`)
}
