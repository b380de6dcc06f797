import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { RangeCalendar } from './range-calendar'

const change = vi.fn()
const user = userEvent.setup()

beforeEach(() => void change.mockReset())

async function open() {
  const blocked = [
    { from: '2031-05-01', to: '2031-05-02' },
    { from: '2031-05-10', to: '2031-05-12' },
  ]
  const value = { from: '2031-05-05', to: '2031-05-05' }
  await renderPage(
    <RangeCalendar label="Booking" value={value} onChange={change} first="2031-05-03" blocked={blocked} />,
    { language: 'en' },
  )
  return within(screen.getByRole('group', { name: 'Booking' }))
}

it('takes days from one to another', async () => {
  const calendar = await open()
  await user.click(calendar.getByRole('button', { name: /May 8, 2031/ }))
  expect(change.mock.calls[0]?.[0]).toEqual({ from: '2031-05-05', to: '2031-05-08' })
})

it('gives no day that is past or taken', async () => {
  const calendar = await open()
  for (const day of ['May 2', 'May 10', 'May 12'])
    expect(calendar.getByRole('button', { name: new RegExp(`${day}, 2031`) })).toHaveProperty('disabled', true)
})

it('labels taken days apart from past ones', async () => {
  const calendar = await open()
  expect(calendar.getByRole('button', { name: /May 11, 2031, Taken$/ })).toBeTruthy()
  expect(calendar.getByRole('button', { name: /May 2, 2031$/ })).toBeTruthy()
  expect(calendar.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['1Free', '1Taken', '1Past'])
})

it('names the first of the month in French', async () => {
  await renderPage(<RangeCalendar label="Dates" value={null} onChange={change} first="2031-05-01" blocked={[]} />, {
    language: 'fr',
  })
  const first = within(screen.getByRole('group', { name: 'Dates' })).getByRole('button', { name: /^jeudi 1 mai 2031$/ })
  expect(first.textContent).toBe('1')
})

it('opens the first month with a free day', async () => {
  const blocked = [
    { from: '2031-05-20', to: '2031-06-30' },
    { from: '2031-05-03', to: '2031-05-19' },
  ]
  await renderPage(
    <RangeCalendar label="Later" value={null} onChange={change} first="2031-05-03" blocked={blocked} />,
    {
      language: 'en',
    },
  )
  expect(within(screen.getByRole('group', { name: 'Later' })).getByText('July 2031')).toBeTruthy()
})

it('never reaches over a day that is taken', async () => {
  const calendar = await open()
  await user.click(calendar.getByRole('button', { name: /May 14, 2031/ }))
  expect(change.mock.calls[0]?.[0]).toEqual({ from: '2031-05-14', to: '2031-05-14' })
})
