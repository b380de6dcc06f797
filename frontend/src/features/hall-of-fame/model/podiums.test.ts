import { expect, it } from 'vitest'
import { championOf, grouped, monthOf } from './podiums'

const won = (month: string, place: number, id: string | null, server_name = id ?? 'Parti') => ({
  month,
  place,
  server_name,
  server_id: id,
})

it('champion is counted by server, not name', () => {
  const rows = [won('03', 1, 'a', 'Neuf'), won('03', 2, 'b'), won('02', 1, 'b'), won('01', 1, 'a', 'Ancien')]
  expect(championOf(rows)).toEqual({ row: rows[0], titles: 2 })
})

it('no champion with one title or a tie', () => {
  expect(championOf([])).toBeNull()
  expect(championOf([won('02', 1, 'a'), won('01', 1, 'b')])).toBeNull()
  expect(championOf([won('04', 1, 'a'), won('03', 1, 'b'), won('02', 1, 'a'), won('01', 1, 'b')])).toBeNull()
})

it('deleted servers are distinguished by name', () => {
  const rows = [won('02', 1, null, 'Un'), won('01', 1, null, 'Deux')]
  expect(championOf(rows)).toBeNull()
  expect(grouped(rows, (row) => row.month).map(([month]) => month)).toEqual(['02', '01'])
})

it('reads a month from an address, or none', () => {
  expect(monthOf('2026-10')).toBe('2026-10-01')
  for (const text of [null, '', '2026-13', '2026-1', '2026-10-01', 'x']) expect(monthOf(text)).toBeNull()
})
