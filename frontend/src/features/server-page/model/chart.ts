/** The geometry of the seven-day chart, in the units of its view box. */
import type { VoteDay } from '../api/vote-history'

export const CHART = { width: 560, height: 190, top: 26, bottom: 28 } as const

export interface Bar {
  day: string
  count: number
  x: number
  y: number
  width: number
  height: number
}

/** One bar a day; a day without votes keeps a sliver, so that it can be seen to be empty. */
export function barsOf(days: readonly VoteDay[]): Bar[] {
  const most = Math.max(1, ...days.map((day) => day.vote_count))
  const slot = CHART.width / Math.max(1, days.length)
  const room = CHART.height - CHART.top - CHART.bottom
  const width = Math.min(46, slot * 0.6)
  return days.map((day, index) => {
    const height = Math.max(3, (day.vote_count / most) * room)
    return {
      day: day.vote_date,
      count: day.vote_count,
      x: index * slot + (slot - width) / 2,
      y: CHART.height - CHART.bottom - height,
      width,
      height,
    }
  })
}
