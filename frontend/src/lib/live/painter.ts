/** Gathers what arrives, so that the page changes once a second at most, however much arrives. */

export interface Painter {
  /** Asks for a paint: now if none was in the last second, else when the second is over. */
  request: () => void
  stop: () => void
}

export function createPainter(paint: () => void, rest = 1_000): Painter {
  let last = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = (): void => {
    timer = undefined
    last = performance.now()
    paint()
  }
  return {
    request() {
      timer ??= setTimeout(run, Math.max(0, last + rest - performance.now()))
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
