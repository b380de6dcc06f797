import { useEffect, useState, type ReactNode } from 'react'
import { IconButton } from '@/components/ui/button'
import { useFormParts } from './form-context'

interface Secret {
  type: 'text' | 'password'
  /** The button at the field's end that shows and hides what is typed. */
  eye: ReactNode
  show: () => void
}

/** What is hidden until somebody wants to look at it, and what no draft keeps. The labels say what the button does. */
export function useSecret(name: string, labels: { show: string; hide: string }): Secret {
  const { keepSecret } = useFormParts()
  const [shown, setShown] = useState(false)
  useEffect(() => keepSecret(name), [keepSecret, name])
  const eye = (
    <IconButton
      size="small"
      icon={shown ? 'eye-off' : 'eye'}
      label={shown ? labels.hide : labels.show}
      onClick={() => setShown(!shown)}
    />
  )
  return { type: shown ? 'text' : 'password', eye, show: () => setShown(true) }
}
