import { useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { sizesOf } from '@/lib/browser/sized-picture'
import { useNear } from '@/lib/browser/use-near'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'onError' | 'loading'> {
  src: string | null | undefined
  /** The shown width in pixels; an upload on this site is then fetched at that size. */
  width?: number
  /** Shown where there is no image, or where it does not load; nothing by default. */
  fallback?: ReactNode
  /** Fetched when it comes near the viewport. */
  lazy?: boolean
}

/**
 * An image that is either shown completely or replaced: a browser's icon for a broken image never
 * appears. Decorative without `alt`.
 */
export function Picture({ src, width, fallback = null, alt = '', lazy, ...rest }: PictureProps) {
  const [missed, setMissed] = useState<string | null>(null)
  if (!src || src === missed) return fallback
  const sizes = width ? sizesOf(src, width) : undefined
  // If a resized version is missing, the original is shown.
  const srcSet = sizes === missed ? undefined : sizes
  const miss = () => setMissed(srcSet ?? src)
  const Shown = lazy ? LazyImage : 'img'
  return <Shown decoding="async" {...rest} width={width} srcSet={srcSet} src={src} alt={alt} onError={miss} />
}

/**
 * Browsers fetch their own lazy images up to 2,500 pixels below the viewport, which is most of a
 * list on a phone.
 */
function LazyImage({ src, srcSet, alt, ...rest }: ComponentProps<'img'>) {
  const place = useRef<HTMLImageElement>(null)
  const isNear = useNear(place)
  return <img ref={place} {...rest} alt={alt} src={isNear ? src : undefined} srcSet={isNear ? srcSet : undefined} />
}
