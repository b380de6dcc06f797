/** Where the focus starts in a window that opens: at `data-first-focus`, else on its first control. */
export function firstFocus(popup: HTMLElement | null): HTMLElement | true {
  return popup?.querySelector<HTMLElement>('[data-first-focus="true"]') ?? true
}
