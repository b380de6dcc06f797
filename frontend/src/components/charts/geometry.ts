/** Geometry of charts in percent, so that a chart fits any width without being measured. */

/**
 * Round figures from zero to the first one at or above `most`, in about `count` steps. Figures are
 * counts, so there are no fractions.
 */
export function niceTicks(most: number, count = 4): number[] {
  const rough = Math.max(1, most) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? rough)
  const ticks = [0]
  while (ticks.length * step < Math.max(1, most) + step) ticks.push(ticks.length * step)
  return ticks
}

export interface Scale {
  /** From the left. */
  x: (index: number) => number
  /** From the top. */
  y: (value: number) => number
}

/** Points reach from edge to edge; bars (`slots`) stand in the middle of a column of their own. */
export function scaleOf(days: number, top: number, slots: boolean): Scale {
  const parts = slots ? days : days - 1
  return {
    x: (index) => (parts < 1 ? 50 : ((index + (slots ? 0.5 : 0)) / parts) * 100),
    y: (value) => (top === 0 ? 100 : 100 - (value / top) * 100),
  }
}

/**
 * The index of the day under a pointer; `share` is its distance from the left, as a share of the
 * width.
 */
export function dayAt(share: number, days: number, slots: boolean): number {
  const index = slots ? Math.floor(share * days) : Math.round(share * (days - 1))
  return Math.min(days - 1, Math.max(0, index))
}

/** An SVG path through the values; days without one are gaps. */
export function linePath(values: readonly (number | null)[], { x, y }: Scale): string {
  let isOpen = false
  return values
    .flatMap((value, index) => {
      if (value === null) {
        isOpen = false
        return []
      }
      const point = `${isOpen ? 'L' : 'M'}${round(x(index))} ${round(y(value))}`
      isOpen = true
      return [point]
    })
    .join('')
}

/**
 * The days with a label below a chart: the last one and earlier ones at equal distance, at most
 * `most` of them.
 */
export function namedDays(days: number, most: number): number[] {
  const step = Math.max(1, Math.ceil((days - 1) / Math.max(1, most - 1)))
  const named: number[] = []
  for (let index = days - 1; index >= 0; index -= step) named.unshift(index)
  return named
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
