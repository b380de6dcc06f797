import { useLayoutEffect } from 'react'

/**
 * Takes back, while `active`, that the rest of the page is hidden from readers. The base does so round an open
 * combobox, yet Tab leads there all the same: what has the focus would be hidden. A list that its field names needs
 * nothing hidden. (github.com/mui/base-ui/issues/5528)
 */
export function useNothingHidden(active: boolean) {
  // Laid out before the base hides things, which it does in an effect.
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
