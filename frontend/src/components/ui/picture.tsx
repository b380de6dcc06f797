import { useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { sizesOf } from '@/lib/browser/sized-picture'
import { useNear } from '@/lib/browser/use-near'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'onError' | 'loading'> {
  src: string | null | undefined
  /** Pixels it is shown with; an upload of the site's own is then fetched at that size. */
  width?: number
  /** Stands where there is no picture, or where it does not load; nothing unless told. */
  fallback?: ReactNode
  /** Fetched when it comes near the screen. */
  lazy?: boolean
}

/** A picture that is either seen or not there: a browser's mark of a torn one never shows. Decorative without `alt`. */
export function Picture({ src, width, fallback = null, alt = '', lazy, ...rest }: PictureProps) {
  const [missed, setMissed] = useState<string | null>(null)
  if (!src || src === missed) return fallback
  const sizes = width ? sizesOf(src, width) : undefined
  // One that is not rendered at a size is still there as it is.
  const srcSet = sizes === missed ? undefined : sizes
  const miss = () => setMissed(srcSet ?? src)
  const Shown = lazy ? LazyImage : 'img'
  return <Shown decoding="async" {...rest} width={width} srcSet={srcSet} src={src} alt={alt} onError={miss} />
}

/** A browser's own lazy pictures are fetched up to 2,500 pixels below the screen, which is most of a list on a phone. */
function LazyImage({ src, srcSet, alt, ...rest }: ComponentProps<'img'>) {
  const place = useRef<HTMLImageElement>(null)
  const isNear = useNear(place)
  return <img ref={place} {...rest} alt={alt} src={isNear ? src : undefined} srcSet={isNear ? srcSet : undefined} />
}
