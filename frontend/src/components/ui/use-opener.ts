import { useState } from 'react'

/**
 * Returns the element that had the focus when a dialog was opened, where the focus goes back when
 * it closes. A dialog opened from elsewhere has no trigger of its own, and its code may arrive
 * after the press.
 */
export function useOpener(open: boolean): () => HTMLElement | true {
  const [known, setKnown] = useState<{ open: boolean; opener: Element | null }>({ open: false, opener: null })
  if (open !== known.open) setKnown({ open, opener: open ? document.activeElement : known.opener })
  const { opener } = known
  return () => (opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : true)
}
