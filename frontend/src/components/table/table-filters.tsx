import { useEffect, useId, useRef, useState } from 'react'
import { TextField } from '@/components/ui/field'
import type { TableHandle } from './use-table-state'
import styles from './data-table.module.css'

interface FilterProps<Filter extends string> {
  table: TableHandle<Filter>
  name: Filter
  label: string
}

/** How long nothing must be typed before the server is asked. */
const PAUSE = 300

/** Rows that contain a text. */
export function TextFilter<Filter extends string>({ table, name, label }: FilterProps<Filter>) {
  const current = table.state.filters[name]
  const [typed, setTyped] = useState(current)
  const [shown, setShown] = useState(current)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The address changed by other means, such as going back.
  if (shown !== current) {
    setShown(current)
    if (typed.trim() !== current) setTyped(current)
  }
  useEffect(() => () => clearTimeout(waiting.current), [])
  return (
    <TextField
      type="search"
      label={label}
      value={typed}
      onChange={(event) => {
        const text = event.target.value
        setTyped(text)
        clearTimeout(waiting.current)
        waiting.current = setTimeout(() => table.filter(name, text.trim()), PAUSE)
      }}
    />
  )
}

interface ChoiceFilterProps<Filter extends string> extends FilterProps<Filter> {
  /** What leaves the rows unfiltered. */
  all: string
  choices: readonly { value: string; label: string }[]
}

/** Rows of one kind. */
export function ChoiceFilter<Filter extends string>({ table, name, label, all, choices }: ChoiceFilterProps<Filter>) {
  const id = useId()
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.control}
        value={table.state.filters[name]}
        onChange={(event) => table.filter(name, event.target.value)}
      >
        <option value="">{all}</option>
        {choices.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}
