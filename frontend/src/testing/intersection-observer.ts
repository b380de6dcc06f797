/** What stands for the browser's IntersectionObserver. */
import { act } from '@testing-library/react'
import { vi } from 'vitest'

type Tell = (entries: { isIntersecting: boolean }[]) => void

const NEAR = [{ isIntersecting: true }]

/** Everything is on the screen. */
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

/** Nothing is near the screen until what this gives is called. */
export function observeByHand(): () => void {
  const told: Tell[] = []
  class ObserverByHand {
    constructor(tell: Tell) {
      told.push(tell)
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', ObserverByHand)
  return () => act(() => told.forEach((tell) => tell(NEAR)))
}
