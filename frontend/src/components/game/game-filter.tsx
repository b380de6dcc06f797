import type { TableHandle } from '@/components/table/use-table-state'
import { GameInput } from './game-input'
import type { GameChoice } from './game-order'

interface GameFilterProps<Filter extends string> {
  table: TableHandle<Filter>
  name: Filter
  label: string
  /** The label of the choice that does not filter. */
  all: string
  games: readonly GameChoice[]
}

/** Filters a table by game. */
export function GameFilter<Filter extends string>({ table, name, label, all, games }: GameFilterProps<Filter>) {
  return (
    <GameInput
      label={label}
      placeholder={all}
      games={games}
      value={table.state.filters[name]}
      onValueChange={(id) => table.filter(name, id)}
    />
  )
}
