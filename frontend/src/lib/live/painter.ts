/** Batches updates, so that the page changes once a second at most. */

export interface Painter {
  /** Requests a paint: now if there was none in the last second, else at the end of that second. */
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
