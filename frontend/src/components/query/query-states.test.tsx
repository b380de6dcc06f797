import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { QueryStates } from './query-states'

const read = vi.fn<() => Promise<string[]>>()

function List() {
  const query = useQuery({ queryKey: ['list'], queryFn: read })
  return (
    <>
      <QueryStates query={query} loading={<p>Loading</p>} failed="The list could not be read." empty={<p>None</p>}>
        {(rows) => <p>{rows.join(', ')}</p>}
      </QueryStates>
      <button type="button" onClick={() => void query.refetch()}>
        Renew
      </button>
    </>
  )
}

beforeEach(() => void read.mockReset())

it('shows a loading state, then the rows', async () => {
  let answer = (_: string[]): void => {}
  read.mockImplementation(() => new Promise((done) => (answer = done)))
  await renderPage(<List />, { language: 'en' })
  expect(screen.getByText('Loading')).toBeTruthy()
  answer(['a', 'b'])
  expect(await screen.findByText('a, b')).toBeTruthy()
})

it('shows a load error with a retry button', async () => {
  read.mockRejectedValueOnce(new Error('no')).mockResolvedValue([])
  await renderPage(<List />, { language: 'en' })
  expect((await screen.findByRole('alert')).textContent).toContain('The list could not be read.')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('None')).toBeTruthy()
})

it('keeps its rows when a refetch fails', async () => {
  read.mockResolvedValueOnce(['a']).mockRejectedValue(new Error('no'))
  await renderPage(<List />, { language: 'en' })
  await screen.findByText('a')
  await userEvent.click(screen.getByRole('button', { name: 'Renew' }))
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2))
  expect(screen.getByText('a')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
