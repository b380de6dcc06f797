/** Stubs of the browser's IntersectionObserver. */
import { act } from '@testing-library/react'
import { vi } from 'vitest'

type Tell = (entries: { isIntersecting: boolean }[]) => void

const NEAR = [{ isIntersecting: true }]

/** Reports every element as visible. */
export class ObserverOfAll {
  readonly #tell: Tell
  constructor(tell: Tell) {
    this.#tell = tell
  }
  observe() {
    this.#tell(NEAR)
  }
  disconnect() {}
}

/** Reports no element until the returned function is called. */
export function observeByHand(): () => void {
  const callbacks: Tell[] = []
  class ObserverByHand {
    constructor(tell: Tell) {
      callbacks.push(tell)
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', ObserverByHand)
  return () => act(() => callbacks.forEach((tell) => tell(NEAR)))
}
