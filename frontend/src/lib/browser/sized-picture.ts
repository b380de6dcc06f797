import { isSlow } from './connection'

/**
 * The `srcset` of an image uploaded to the site: the displayed width, and twice that for dense
 * screens unless the connection is slow. Undefined for images of other sites, for a GIF, which
 * would lose its animation, and for widths close to the stored width.
 */
export function sizesOf(src: string, width: number): string | undefined {
  const address = src.replace(/object(?=\/public\/server-images\/[^?#]+(?<!\.gif)$)/i, 'render/image') + '?width='
  return width > 500 || address.startsWith(src)
    ? undefined
    : `${address}${width} 1x` + (isSlow() ? '' : `, ${address}${width * 2} 2x`)
}
