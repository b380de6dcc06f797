/** A list holds its order while it is in use: nothing moves under the pointer, nor away from the focus. */

/** Whether a pointer or the focus is in an element. A finger rests on nothing, so it holds nothing. */
export function isInUse(element: Element | null): boolean {
  if (element === null) return false
  const isPointedAt = element.matches(':hover') && matchMedia('(hover: hover)').matches
  return isPointedAt || element.contains(document.activeElement)
}
