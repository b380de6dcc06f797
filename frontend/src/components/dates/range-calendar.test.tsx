import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { RangeCalendar } from './range-calendar'

const change = vi.fn()
const user = userEvent.setup()

beforeEach(() => void change.mockReset())

async function open() {
  const blocked = [{ from: '2031-05-10', to: '2031-05-12' }]
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

it('never reaches over a day that is taken', async () => {
  const calendar = await open()
  await user.click(calendar.getByRole('button', { name: /May 14, 2031/ }))
  expect(change.mock.calls[0]?.[0]).toEqual({ from: '2031-05-14', to: '2031-05-14' })
})
