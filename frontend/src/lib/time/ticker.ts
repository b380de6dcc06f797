/**
 * The page's clocks: all listeners of one period are called together, and none while the page is
 * hidden.
 */

type Listener = (now: number) => void

const rhythms = new Map<number, Set<Listener>>()
const timers = new Map<number, ReturnType<typeof setInterval>>()

/**
 * Calls `listener` with the current time every `period` milliseconds, and when the page becomes
 * visible.
 */
export function every(period: number, listener: Listener): () => void {
  const listeners = rhythms.get(period) ?? new Set()
  if (rhythms.size === 0) document.addEventListener('visibilitychange', onVisibilityChange)
  rhythms.set(period, listeners.add(listener))
  if (!document.hidden) start(period)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop(period)
    rhythms.delete(period)
    if (rhythms.size === 0) document.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

function onVisibilityChange(): void {
  for (const period of rhythms.keys()) {
    if (document.hidden) stop(period)
    else {
      start(period)
      tell(period)
    }
  }
}

function start(period: number): void {
  if (!timers.has(period)) timers.set(period, setInterval(tell, period, period))
}

function stop(period: number): void {
  clearInterval(timers.get(period))
  timers.delete(period)
}

function tell(period: number): void {
  const now = Date.now()
  for (const listener of rhythms.get(period) ?? []) listener(now)
}
