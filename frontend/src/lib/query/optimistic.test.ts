import { mutationOptions, MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { optimistically } from './optimistic'

const KEY = ['friends']
const read = vi.fn<() => Promise<string[]>>()
const send = vi.fn<(name: string) => Promise<void>>()
let client: QueryClient

const adding = () =>
  mutationOptions({
    mutationFn: send,
    ...optimistically<string[], string>(
      () => KEY,
      (rows, name) => [...rows, name],
    ),
  })

const data = () => client.getQueryData(KEY)
const add = (name: string) => new MutationObserver(client, adding()).mutate(name)

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  read.mockReset().mockResolvedValue(['Ada'])
  send.mockReset()
})
afterEach(() => client.clear())

it('applies the change before the response', async () => {
  client.setQueryData(KEY, ['Ada'])
  let answer = (): void => {}
  send.mockReturnValue(new Promise<void>((resolve) => (answer = resolve)))
  const sent = add('Grace')
  await vi.waitFor(() => expect(data()).toEqual(['Ada', 'Grace']))
  answer()
  await sent
  expect(data()).toEqual(['Ada', 'Grace'])
})

it('takes the change back when it is refused', async () => {
  client.setQueryData(KEY, ['Ada'])
  send.mockRejectedValue(new Error('no'))
  await expect(add('Grace')).rejects.toThrow('no')
  expect(data()).toEqual(['Ada'])
})

it('leaves unread data undefined after a refusal', async () => {
  send.mockRejectedValue(new Error('no'))
  await expect(add('Grace')).rejects.toThrow('no')
  expect(data()).toBeUndefined()
})

it('prevents pending reads from restoring old rows', async () => {
  let answer = (_: string[]): void => {}
  read.mockResolvedValueOnce(['Ada'])
  const stop = new QueryObserver(client, { queryKey: KEY, queryFn: read }).subscribe(() => undefined)
  await vi.waitFor(() => expect(data()).toEqual(['Ada']))
  read.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
  const reread = client.refetchQueries({ queryKey: KEY })
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2))
  send.mockResolvedValue(undefined)
  await add('Grace')
  answer(['Ada'])
  await reread
  expect(data()).toEqual(['Ada', 'Grace'])
  stop()
})
