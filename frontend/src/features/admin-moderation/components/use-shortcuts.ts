import { useEffect } from 'react'

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"]'

/**
 * Single-key shortcuts, inactive while somebody types or a dialog is open; the actions of the last
 * render count.
 */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const act = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
      const key = event.key.toLowerCase()
      if (!Object.hasOwn(actions, key)) return
      event.preventDefault()
      actions[key]?.()
    }
    window.addEventListener('keydown', act)
    return () => window.removeEventListener('keydown', act)
  }, [actions])
}
