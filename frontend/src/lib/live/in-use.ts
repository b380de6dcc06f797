/**
 * A list keeps its order while it is in use: nothing moves under the pointer or away from the
 * focus.
 */

/**
 * Whether the pointer or the focus is in an element. A touch does not count, because it does not
 * rest.
 */
export function isInUse(element: Element | null): boolean {
  if (element === null) return false
  const isPointedAt = element.matches(':hover') && matchMedia('(hover: hover)').matches
  return isPointedAt || element.contains(document.activeElement)
}
