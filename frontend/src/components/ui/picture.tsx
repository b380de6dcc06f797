import { useState, type ComponentProps, type ReactNode } from 'react'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'onError'> {
  src: string | null | undefined
  /** Stands where there is no picture, or where it does not load; nothing unless told. */
  fallback?: ReactNode
}

/** A picture that is either seen or not there: a browser's mark of a torn one never shows. Decorative without `alt`. */
export function Picture({ src, fallback = null, alt = '', ...rest }: PictureProps) {
  const [lost, setLost] = useState<string | null>(null)
  if (!src || src === lost) return fallback
  return <img decoding="async" {...rest} src={src} alt={alt} onError={() => setLost(src)} />
}
