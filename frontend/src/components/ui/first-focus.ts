/**
 * The element that gets the focus in a dialog that opens: `data-first-focus`, else its first
 * control.
 */
export function firstFocus(popup: HTMLElement | null): HTMLElement | true {
  return popup?.querySelector<HTMLElement>('[data-first-focus="true"]') ?? true
}
