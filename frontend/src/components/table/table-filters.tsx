import { useEffect, useRef, useState } from 'react'
import { SelectInput, type Choice } from '@/components/ui/select-input'
import { TextInput } from '@/components/ui/text-input'
import { formatDate } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import type { TableHandle } from './use-table-state'

interface FilterProps<Filter extends string> {
  table: TableHandle<Filter>
  name: Filter
  label: string
}

/** Milliseconds without input before the server is queried. */
const PAUSE = 300

/** Filters rows by a text that they contain. */
export function TextFilter<Filter extends string>({ table, name, label }: FilterProps<Filter>) {
  const current = table.state.filters[name]
  const [typed, setTyped] = useState(current)
  const [filters, setShown] = useState(current)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The address changed by other means, such as Back.
  if (filters !== current) {
    setShown(current)
    if (typed.trim() !== current) setTyped(current)
  }
  useEffect(() => () => clearTimeout(waiting.current), [])
  return (
    <TextInput
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
  /** The label of the choice that does not filter. */
  all: string
  choices: readonly Choice[]
}

/** Filters rows by one of a few values. */
export function ChoiceFilter<Filter extends string>({ table, name, label, all, choices }: ChoiceFilterProps<Filter>) {
  return (
    <SelectInput
      label={label}
      empty={all}
      choices={choices}
      value={table.state.filters[name]}
      onChange={(event) => table.filter(name, event.target.value)}
    />
  )
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Filters rows from a day on, or up to one; the state is the day, `yyyy-mm-dd`. */
export function DayFilter<Filter extends string>({ table, name, label }: FilterProps<Filter>) {
  const language = useLanguage()
  const day = table.state.filters[name]
  return (
    <TextInput
      type="date"
      label={label}
      // The browser's control shows the day in its own language, which may differ from the page's.
      help={isDay(day) ? formatDate(day, language) : undefined}
      value={day}
      onChange={(event) => table.filter(name, event.target.value)}
    />
  )
}
