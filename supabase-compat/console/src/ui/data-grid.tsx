/**
 * A grid that renders only the visible rows and columns, so that neither a hundred thousand rows
 * nor five hundred columns make it slow. It does not depend on the source of the rows. One cell is
 * active, and the arrow keys move it.
 */
import { Checkbox } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import classes from './data-grid.module.css'
import {
  GRID_ROW_HEIGHT,
  GridBody,
  MARK_WIDTH,
  type CellRenderer,
  type GridCell,
  type GridColumn,
  type GridSelection,
  type RowActions,
} from './grid-body'

const HEADER_HEIGHT = 44
const MIN_COLUMN_WIDTH = 60

export type { GridCell, GridColumn } from './grid-body'

interface Props {
  label: string
  columns: readonly GridColumn[]
  rowCount: number
  /** Renders the content of a cell; must keep its identity between renders if nothing changed. */
  renderCell: CellRenderer
  /** The text to copy from a cell. */
  cellText: (row: number, column: number) => string
  renderHeader?: (column: number) => ReactNode
  /** Enter, F2 or a double click; `element` is the anchor for an editor. */
  onActivate?: (cell: GridCell, element: HTMLElement) => void
  selection?: GridSelection
  /** The number of the first row. */
  firstNumber?: number
  isBusy?: boolean
}

export function DataGrid(props: Props) {
  const { label, columns, rowCount, renderCell, cellText, renderHeader, onActivate, selection, firstNumber = 1 } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<GridCell | null>(null)
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map())
  const widthOf = useCallback(
    (index: number) => widths.get(columns[index]!.id) ?? columns[index]!.width,
    [widths, columns],
  )

  /** Scrolls a row into view. */
  const showRow = useRef<(row: number) => void>(() => undefined)
  // The React Compiler is not used here, so it cannot memoize the values of the virtualizer.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: widthOf,
    overscan: 2,
    scrollPaddingStart: MARK_WIDTH,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, widthOf])
  const cellId = (cell: GridCell): string => `${id}-${cell.row}-${cell.column}`

  const moveTo = (cell: GridCell): void => {
    const next = {
      row: Math.min(Math.max(cell.row, 0), rowCount - 1),
      column: Math.min(Math.max(cell.column, 0), columns.length - 1),
    }
    setActive(next)
    showRow.current(next.row)
    virtualizer.scrollToIndex(next.column)
  }
  const toggleRow = (row: number, isRange: boolean): void => {
    if (!selection) return
    const next = new Set(selection.rows)
    const from = isRange && active ? Math.min(active.row, row) : row
    const to = isRange && active ? Math.max(active.row, row) : row
    const isOn = !selection.rows.has(row)
    for (let one = from; one <= to; one++) {
      if (isOn) next.add(one)
      else next.delete(one)
    }
    selection.onChange(next)
  }
  const activate = (cell: GridCell): void => {
    const selector = `[aria-rowindex="${cell.row + 2}"] > [aria-colindex="${cell.column + 2}"]`
    const element = scroller.current?.querySelector<HTMLElement>(selector)
    if (element) onActivate?.(cell, element)
  }
  // Unchanged rows are not rendered again, so their callbacks are looked up when called.
  const latest = useRef({ toggleRow, activate })
  latest.current = { toggleRow, activate }
  const actions = useRef<RowActions>({
    pick: setActive,
    activate(cell) {
      setActive(cell)
      latest.current.activate(cell)
    },
    toggle: (row, isRange) => latest.current.toggleRow(row, isRange),
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    // Buttons and fields inside of the grid handle keys themselves.
    if (event.target !== scroller.current || rowCount === 0) return
    const cell = active ?? { row: 0, column: 0 }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / GRID_ROW_HEIGHT) - 2)
    const isWhole = event.ctrlKey || event.metaKey
    const moves: Record<string, GridCell> = {
      ArrowDown: { ...cell, row: cell.row + (active ? 1 : 0) },
      ArrowUp: { ...cell, row: cell.row - 1 },
      ArrowRight: { ...cell, column: cell.column + 1 },
      ArrowLeft: { ...cell, column: cell.column - 1 },
      PageDown: { ...cell, row: cell.row + page },
      PageUp: { ...cell, row: cell.row - page },
      Home: { row: isWhole ? 0 : cell.row, column: 0 },
      End: { row: isWhole ? rowCount - 1 : cell.row, column: columns.length - 1 },
    }
    const move = moves[event.key]
    if (move) moveTo(move)
    else if (active && (event.key === 'Enter' || event.key === 'F2')) activate(active)
    else if (active && event.key === ' ' && selection) toggleRow(active.row, event.shiftKey)
    else if (active && isWhole && event.key === 'c' && getSelection()?.isCollapsed !== false)
      void navigator.clipboard?.writeText(cellText(active.row, active.column))
    else return
    event.preventDefault()
  }

  const visible = virtualizer.getVirtualItems()
  const width = MARK_WIDTH + virtualizer.getTotalSize()
  const isAllSelected = selection !== undefined && rowCount > 0 && selection.rows.size === rowCount
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-wide={width > (virtualizer.scrollRect?.width ?? 0) || undefined}
      role="grid"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-busy={props.isBusy}
      aria-multiselectable={selection ? true : undefined}
      aria-activedescendant={active ? cellId(active) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.target === scroller.current && !active && rowCount > 0) setActive({ row: 0, column: 0 })
      }}
    >
      <div role="rowgroup" className={classes.head} style={{ width, height: HEADER_HEIGHT }}>
        <div role="row" aria-rowindex={1} className={classes.headRow}>
          <div role="columnheader" aria-colindex={1} className={classes.mark} style={{ width: MARK_WIDTH }}>
            {selection ? (
              <Checkbox
                size="xs"
                aria-label={selection.allLabel}
                checked={isAllSelected}
                indeterminate={!isAllSelected && selection.rows.size > 0}
                onChange={() =>
                  selection.onChange(
                    isAllSelected ? new Set() : new Set(Array.from({ length: rowCount }, (_, row) => row)),
                  )
                }
              />
            ) : (
              '#'
            )}
          </div>
          {visible.map(({ index, start, size }) => {
            const column = columns[index]!
            return (
              <div
                key={column.id}
                role="columnheader"
                aria-colindex={index + 2}
                className={classes.heading}
                style={{ left: MARK_WIDTH + start, width: size }}
              >
                {renderHeader ? renderHeader(index) : <GridHeading title={column.title} subtitle={column.subtitle} />}
                <Resizer
                  width={size}
                  onResize={(next) =>
                    setWidths((before) => new Map(before).set(column.id, Math.max(MIN_COLUMN_WIDTH, next)))
                  }
                />
              </div>
            )
          })}
        </div>
      </div>
      <GridBody
        scroller={scroller}
        showRow={showRow}
        headerHeight={HEADER_HEIGHT}
        rowCount={rowCount}
        width={width}
        id={id}
        columns={columns}
        first={visible[0]?.index ?? 0}
        last={visible.at(-1)?.index ?? -1}
        widthOf={widthOf}
        offset={visible[0]?.start ?? 0}
        firstNumber={firstNumber}
        active={active}
        selection={selection}
        renderCell={renderCell}
        actions={actions.current}
      />
    </div>
  )
}

/** The two lines of a heading. */
export function GridHeading({ title, subtitle }: { title: string; subtitle?: string | undefined }) {
  return (
    <span className={classes.title}>
      <span className="truncate" title={title}>
        {title}
      </span>
      {subtitle ? <span className={`truncate ${classes.subtitle}`}>{subtitle}</span> : null}
    </span>
  )
}

/**
 * The edge of a heading, which resizes its column. Not needed on the keyboard, where a cell opens
 * whole.
 */
function Resizer({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const start = useRef<{ at: number; width: number } | null>(null)
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { at: event.clientX, width }
    event.preventDefault()
  }
  return (
    <span
      aria-hidden
      className={classes.resizer}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        if (start.current) onResize(start.current.width + event.clientX - start.current.at)
      }}
      onPointerUp={() => {
        start.current = null
      }}
    />
  )
}
