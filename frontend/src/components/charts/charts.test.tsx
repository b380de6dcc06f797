import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { BarChart } from './bar-chart'
import { LineChart } from './line-chart'
import { RangeSwitch } from './range-switch'

const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21']
const VOTES = { name: 'Votes', values: [3, 12, 1200] }

it('chart lists every figure in a table', async () => {
  await renderPage(
    <LineChart label="Votes par jour" days={DAYS} series={[VOTES, { name: 'Vues', values: [1, null, 2] }]} />,
  )
  const table = screen.getByRole('table', { name: 'Votes par jour' })
  const rows = within(table).getAllByRole('row')
  expect(rows.map((row) => row.textContent)).toEqual([
    'JourVotesVues',
    '19 novembre 202631',
    '20 novembre 202612–',
    '21 novembre 20261\u00a02002',
  ])
})

it('is walked day by day with the keys', async () => {
  await renderPage(<BarChart label="Votes" days={DAYS} series={VOTES} />)
  const reader = screen.getByRole('slider', { name: 'Votes' })
  expect(reader.getAttribute('aria-valuetext')).toBe('21 novembre 2026, Votes 1\u00a0200')
  await userEvent.setup().tab()
  expect(document.activeElement).toBe(reader)
  expect(reader.getAttribute('min')).toBe('0')
  expect(reader.getAttribute('max')).toBe('2')
})

it('chart without figures shows an empty state', async () => {
  await renderPage(<LineChart label="Votes" days={DAYS} series={[{ name: 'Votes', values: [0, 0, 0] }]} />)
  expect(screen.getByText('Rien à montrer pour cette période.')).toBeTruthy()
  expect(screen.queryByRole('slider')).toBeNull()
})

it('offers 7, 30 and 90 days and all', async () => {
  const choose = vi.fn()
  await renderPage(<RangeSwitch value="30" onValueChange={choose} />)
  const names = screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)
  expect(names).toEqual(['7 jours', '30 jours', '90 jours', 'Tout'])
  await userEvent.setup().click(screen.getByRole('radio', { name: 'Tout' }))
  expect(choose).toHaveBeenCalledWith('all')
})
