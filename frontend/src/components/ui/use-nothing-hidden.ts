import { useLayoutEffect } from 'react'

/**
 * Reverts, while `active`, that the rest of the page is hidden from screen readers. The base
 * library does so around an open combobox, although Tab still leads there: the focused element
 * would be hidden. A list that its field references does not need it.
 * (github.com/mui/base-ui/issues/5528)
 */
export function useNothingHidden(active: boolean) {
  // A layout effect runs before the base library hides elements, which it does in an effect.
  useLayoutEffect(() => {
    if (!active) return
    const hiding = new MutationObserver((changes) => {
      for (const { target, oldValue } of changes)
        if (target instanceof Element && oldValue === null) target.removeAttribute('aria-hidden')
    })
    hiding.observe(document.body, { subtree: true, attributeFilter: ['aria-hidden'], attributeOldValue: true })
    return () => hiding.disconnect()
  }, [active])
}
