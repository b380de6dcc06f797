import { useState, type ComponentProps, type ReactNode } from 'react'
import { sizesOf } from '@/lib/browser/sized-picture'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'onError'> {
  src: string | null | undefined
  /** Pixels it is shown with; an upload of the site's own is then fetched at that size. */
  width?: number
  /** Stands where there is no picture, or where it does not load; nothing unless told. */
  fallback?: ReactNode
}

/** A picture that is either seen or not there: a browser's mark of a torn one never shows. Decorative without `alt`. */
export function Picture({ src, width, fallback = null, alt = '', ...rest }: PictureProps) {
  const [missed, setMissed] = useState<string | null>(null)
  if (!src || src === missed) return fallback
  const sizes = width ? sizesOf(src, width) : undefined
  // One that is not rendered at a size is still there as it is.
  const srcSet = sizes === missed ? undefined : sizes
  const miss = () => setMissed(srcSet ?? src)
  return <img decoding="async" {...rest} width={width} srcSet={srcSet} src={src} alt={alt} onError={miss} />
}
