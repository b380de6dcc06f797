import { useEffect, useState, type ReactNode } from 'react'
import { IconButton } from '@/components/ui/button'
import { useFormParts } from './form-context'

interface Secret {
  type: 'text' | 'password'
  /** The button at the end of the field that shows and hides the value. */
  eye: ReactNode
  show: () => void
}

/**
 * A hidden value that can be shown, and that is kept out of drafts. The labels name the two actions
 * of the button.
 */
export function useSecret(name: string, labels: { show: string; hide: string }): Secret {
  const { keepSecret } = useFormParts()
  const [isVisible, setShown] = useState(false)
  useEffect(() => keepSecret(name), [keepSecret, name])
  const eye = (
    <IconButton
      size="small"
      icon={isVisible ? 'eye-off' : 'eye'}
      label={isVisible ? labels.hide : labels.show}
      onClick={() => setShown(!isVisible)}
    />
  )
  return { type: isVisible ? 'text' : 'password', eye, show: () => setShown(true) }
}
