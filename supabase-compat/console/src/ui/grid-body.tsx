/**
 * The visible rows of a grid. Scrolling renders only this component, and recycles elements: an
 * element keeps its place in the document and gets another row.
 */
import { Checkbox } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useRef, type MouseEvent, type ReactNode, type RefObject } from 'react'
import classes from './data-grid.module.css'

export const GRID_ROW_HEIGHT = 32
export const MARK_WIDTH = 52

export interface GridColumn {
  id: string
  title: string
  /** Below the title, such as the type. */
  subtitle?: string
  width: number
  isNumeric?: boolean
}

export interface GridCell {
  row: number
  column: number
}

export interface GridSelection {
  rows: ReadonlySet<number>
  onChange: (rows: ReadonlySet<number>) => void
  rowLabel: (row: number) => string
  allLabel: string
}

export type CellRenderer = (row: number, column: number) => ReactNode

export interface RowActions {
  pick: (cell: GridCell) => void
  activate: (cell: GridCell) => void
  toggle: (row: number, isRange: boolean) => void
}

/** Properties that all rows share. */
interface CommonRowProps {
  width: number
  id: string
  columns: readonly GridColumn[]
  /** The visible columns, and the offset of the first. */
  first: number
  last: number
  offset: number
  widthOf: (column: number) => number
  renderCell: CellRenderer
  /** Must keep its identity. */
  actions: RowActions
}

interface Props extends CommonRowProps {
  scroller: RefObject<HTMLDivElement | null>
  /** Set to the function that scrolls a row into view. */
  showRow: RefObject<(row: number) => void>
  headerHeight: number
  rowCount: number
  firstNumber: number
  active: GridCell | null
  selection: GridSelection | undefined
}

export function GridBody({
  scroller,
  showRow,
  headerHeight,
  rowCount,
  firstNumber,
  active,
  selection,
  ...shared
}: Props) {
  // The React Compiler is not used here, so it cannot memoize the values of the virtualizer.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => GRID_ROW_HEIGHT,
    overscan: 4,
    scrollPaddingStart: headerHeight,
  })
  showRow.current = (row) => rows.scrollToIndex(row)
  const items = rows.getVirtualItems()
  const slots = useRef(1)
  slots.current = Math.max(slots.current, items.length)
  const orderedItems = items
    .map(({ index, start }) => ({ slot: index % slots.current, index, start }))
    .toSorted((one, other) => one.slot - other.slot)
  return (
    <div role="rowgroup" style={{ height: rows.getTotalSize(), width: shared.width, position: 'relative' }}>
      {orderedItems.map(({ slot, index, start }) => (
        <Row
          key={slot}
          {...shared}
          row={index}
          start={start}
          number={firstNumber + index}
          activeColumn={active?.row === index ? active.column : null}
          isSelected={selection?.rows.has(index) ?? false}
          selectLabel={selection?.rowLabel(index)}
        />
      ))}
    </div>
  )
}

interface RowProps extends CommonRowProps {
  row: number
  start: number
  number: number
  activeColumn: number | null
  isSelected: boolean
  selectLabel: string | undefined
}

/** The positions of the visible columns. */
function positionsOf({ columns, first, last, offset, widthOf }: CommonRowProps) {
  const positions: { column: number; left: number; width: number }[] = []
  let left = MARK_WIDTH + offset
  for (let column = first; column <= last && column < columns.length; column++) {
    const width = widthOf(column)
    positions.push({ column, left, width })
    left += width
  }
  return positions
}

/** The column of the clicked cell; undefined for the checkbox of a row. */
function columnAt(event: MouseEvent<HTMLElement>): number | undefined {
  const cell = event.target instanceof Element ? event.target.closest('[role=gridcell]') : null
  const column = Number(cell?.getAttribute('aria-colindex') ?? 0) - 2
  return column >= 0 ? column : undefined
}

/** Memoized: rendered again only if a property differs. */
const Row = memo(function Row(props: RowProps) {
  const { row, columns, id, actions, activeColumn } = props
  return (
    // The keys of a cell are those of the grid, which has the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={props.selectLabel === undefined ? undefined : props.isSelected}
      className={classes.row}
      style={{ transform: `translateY(${props.start}px)`, width: props.width, height: GRID_ROW_HEIGHT }}
      onClick={(event) => {
        const column = columnAt(event)
        if (column === undefined) return
        // Touch has no second button and double taps slowly: the second tap on a cell opens it.
        const isOpening = activeColumn === column && matchMedia('(pointer: coarse)').matches
        if (isOpening) actions.activate({ row, column })
        else actions.pick({ row, column })
      }}
      onDoubleClick={(event) => {
        const column = columnAt(event)
        if (column !== undefined) actions.activate({ row, column })
      }}
    >
      <div role="gridcell" aria-colindex={1} className={classes.mark} style={{ width: MARK_WIDTH }}>
        {props.selectLabel === undefined ? (
          props.number
        ) : (
          <Checkbox
            size="xs"
            aria-label={props.selectLabel}
            checked={props.isSelected}
            onChange={() => undefined}
            onClick={(event) => actions.toggle(row, event.shiftKey)}
          />
        )}
      </div>
      {positionsOf(props).map(({ column, left, width }) => (
        <div
          key={columns[column]!.id}
          id={activeColumn === column ? `${id}-${row}-${column}` : undefined}
          role="gridcell"
          aria-colindex={column + 2}
          className={classes.cell}
          data-active={activeColumn === column || undefined}
          data-numeric={columns[column]!.isNumeric || undefined}
          style={{ left, width }}
        >
          {props.renderCell(row, column)}
        </div>
      ))}
    </div>
  )
})
