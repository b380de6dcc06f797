/** Properties that all charts share. */
import type { ReactNode } from 'react'

export interface Series {
  name: string
  /** One value for each day; null where it is unknown. */
  values: readonly (number | null)[]
}

export interface ChartProps {
  /** The chart's name, which is also the caption of its table. */
  label: string
  /** Days as `yyyy-mm-dd`, oldest first; or the keys that `others` names. */
  days: readonly string[]
  /** For charts over other categories than days: what the categories are, and the name of each. */
  others?: { label: string; nameOf: (key: string) => string }
  /** At most four series. */
  series: readonly Series[]
  /** Formats a figure; by default as a number in the reader's language. */
  format?: (value: number) => string
  /** Shown instead of a chart without values. */
  empty?: ReactNode
}
