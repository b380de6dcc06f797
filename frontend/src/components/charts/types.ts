/** What every chart is given. */
import type { ReactNode } from 'react'

export interface Series {
  name: string
  /** One a day; null where nothing is known. */
  values: readonly (number | null)[]
}

export interface ChartProps {
  /** What it shows: its name, and the caption of the table behind it. */
  label: string
  /** `yyyy-mm-dd`, oldest first; or what `others` names. */
  days: readonly string[]
  /** Where it is not days that are told apart: what they are, and the name of each. */
  others?: { label: string; nameOf: (key: string) => string }
  /** Up to four. */
  series: readonly Series[]
  /** How a figure is written in full; numbers of the reader's language if absent. */
  format?: (value: number) => string
  /** Said instead of a chart of nothing. */
  empty?: ReactNode
}
