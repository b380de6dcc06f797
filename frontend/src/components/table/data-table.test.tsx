import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '@/lib/api/errors'
import type { TablePage } from '@/lib/api/table-page'
import { renderPage } from '@/testing/render-page'
import type { Column } from './columns'
import { DataTable } from './data-table'
import { ChoiceFilter, TextFilter } from './table-filters'
import type { TableState } from './table-state'
import { useTableState } from './use-table-state'

interface Ship {
  id: string
  name: string
  guns: number
}

const COLUMNS: Column<Ship>[] = [
  { id: 'name', title: 'Ship', sorts: true, cell: (ship) => ship.name, csv: (ship) => ship.name },
  { id: 'guns', title: 'Guns', sorts: true, numeric: true, cell: (ship) => ship.guns },
]
const SPEC = {
  sorts: ['name', 'guns'],
  sort: 'name',
  filters: { name: 'text', kind: ['frigate', 'brig'] },
  sizes: [2, 4],
} as const
const FLEET: Ship[] = ['Argo', 'Bounty', 'Cutty', 'Drake', 'Endeavour'].map((name, at) => ({
  id: `s${at}`,
  name,
  guns: at * 10,
}))

const read = vi.fn<(state: TableState) => Promise<TablePage<Ship>>>()
const scuttle = vi.fn()
const user = userEvent.setup()

function Fleet() {
  const table = useTableState(SPEC)
  const query = useQuery({
    queryKey: ['fleet', table.state],
    queryFn: () => read(table.state),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <DataTable
        label="Fleet"
        columns={COLUMNS}
        table={table}
        query={query}
        rowId={(ship) => ship.id}
        rowName={(ship) => ship.name}
        actions={(ship) => [{ label: 'Scuttle', onSelect: () => scuttle(ship.name) }]}
        bulk={(ships) => <button type="button">Send {ships.map(({ name }) => name).join(' and ')}</button>}
        filters={
          <>
            <TextFilter table={table} name="name" label="Name" />
            <ChoiceFilter
              table={table}
              name="kind"
              label="Kind"
              all="Any"
              choices={[{ value: 'brig', label: 'Brig' }]}
            />
          </>
        }
        empty="No ship yet."
        failed="The fleet could not be read."
      />
      <output>{useLocation().search}</output>
    </>
  )
}

const rowHeaders = (): string[] => screen.getAllByRole('rowheader').map((cell) => cell.textContent)

beforeEach(() => {
  scuttle.mockReset()
  read.mockReset().mockImplementation(async ({ page, size, sort, filters }) => {
    const rows = FLEET.filter(({ name }) => name.toLowerCase().includes(filters.name ?? ''))
    const ordered = sort.descending ? rows.toReversed() : rows
    const last = Math.max(1, Math.ceil(rows.length / size))
    const at = Math.min(page, last)
    return { rows: ordered.slice((at - 1) * size, at * size), count: rows.length, page: at }
  })
})

async function open(query = ''): Promise<void> {
  await renderPage(<Fleet />, { language: 'en', path: `/en/${query}` })
}

it('paginates rows and shows their total', async () => {
  await open()
  expect(await screen.findByText('1 to 2 of 5 rows')).toBeTruthy()
  expect(rowHeaders()).toEqual(['Argo', 'Bounty'])
  await user.click(screen.getByRole('link', { name: 'Next page' }))
  await waitFor(() => expect(rowHeaders()).toEqual(['Cutty', 'Drake']))
  expect(read.mock.lastCall?.[0].page).toBe(2)
})

it('sorts by a column and says so', async () => {
  await open()
  const head = await screen.findByRole('columnheader', { name: 'Ship' })
  expect(head.getAttribute('aria-sort')).toBe('ascending')
  await user.click(within(head).getByRole('button'))
  await waitFor(() => expect(rowHeaders()).toEqual(['Endeavour', 'Drake']))
  expect(screen.getByRole('columnheader', { name: 'Ship' }).getAttribute('aria-sort')).toBe('descending')
})

it('debounces filters and offers to clear them', async () => {
  await open('?page=2')
  await screen.findByText('3 to 4 of 5 rows')
  await user.type(screen.getByRole('searchbox', { name: 'Name' }), 'zz')
  expect(await screen.findByText('No rows match these filters.')).toBeTruthy()
  expect(read.mock.calls.map(([state]) => state.filters.name)).toEqual(['', 'zz'])
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('1 to 2 of 5 rows')).toBeTruthy()
})

it('shows the last page when beyond the end', async () => {
  await open('?page=40')
  await waitFor(() => expect(rowHeaders()).toEqual(['Endeavour']))
  await waitFor(() => expect(screen.getByText('?page=3')).toBeTruthy())
})

it('selects rows for actions and acts on one', async () => {
  await open()
  await user.click(await screen.findByRole('checkbox', { name: 'Select Argo' }))
  expect(screen.getByRole('button', { name: 'Send Argo' })).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Select the whole page' }))
  expect(screen.getByText('2 rows selected')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Actions for Bounty' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Scuttle' }))
  expect(scuttle).toHaveBeenCalledWith('Bounty')
})

it('leads from row to row with the arrows', async () => {
  await open()
  const first = await screen.findByRole('checkbox', { name: 'Select Argo' })
  first.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select Bounty' }))
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(first)
})

it('shows load errors and the empty state', async () => {
  read.mockRejectedValueOnce(new ApiError('x', 'no', 400)).mockResolvedValue({ rows: [], count: 0, page: 1 })
  await open()
  expect(await screen.findByText('The fleet could not be read.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No ship yet.')).toBeTruthy()
})
