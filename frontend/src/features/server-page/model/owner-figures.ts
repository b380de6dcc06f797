/** The counted steps from a visit to a vote, in their order. */
export const STEPS = ['clicks', 'copies', 'votes'] as const

export interface DayFigures extends Record<(typeof STEPS)[number], number> {
  /** The site's day, `yyyy-mm-dd`. */
  day: string
}

/** The figures of one step: today's, and the total of the days. */
export function figuresOf(
  days: readonly DayFigures[],
  step: (typeof STEPS)[number],
  today: string,
): { today: number; all: number } {
  return {
    today: days.find(({ day }) => day === today)?.[step] ?? 0,
    all: days.reduce((sum, day) => sum + day[step], 0),
  }
}
