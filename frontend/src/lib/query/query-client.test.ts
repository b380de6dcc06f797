import { MutationObserver, mutationOptions, type QueryClient, type UseMutationOptions } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import i18next from 'i18next'
import { beforeAll, expect, it, vi } from 'vitest'
import { ApiError } from '@/lib/api/errors'
import { closeAuthDialog, useAuthDialog } from '@/lib/session/auth-dialog'
import { sessionKeys } from '@/lib/session/keys'
import errors from '../../../locales/en/errors.json'
import visibility from '../../../locales/en/visibility.json'
import { optimistically } from './optimistic'
import { isOwn, OWN } from './own-rows'
import { createQueryClient } from './query-client'

const announce = vi.fn()
const SERVERS = ['servers']
const KEY = [...SERVERS, OWN, 'u1']

beforeAll(async () => {
  await i18next.init({ lng: 'en', resources: { en: { errors, visibility } }, defaultNS: false })
})

async function run<Data, Variables, Before>(
  queries: QueryClient,
  options: UseMutationOptions<Data, Error, Variables, Before>,
  variables: Variables,
): Promise<void> {
  await new MutationObserver(queries, options).mutate(variables).catch(() => {})
}

function clientWith(rows: string[]): QueryClient {
  announce.mockReset()
  const queries = createQueryClient({ announce })
  queries.setQueryData(KEY, rows)
  return queries
}

it('invalidates named queries and announces success', async () => {
  const queries = clientWith(['a'])
  const options = mutationOptions({
    mutationFn: async (name: string) => name,
    meta: { invalidates: [SERVERS], done: 'visibility:shown' },
  })
  await run(queries, options, 'a')
  expect(queries.getQueryState(KEY)?.isInvalidated).toBe(true)
  expect(announce).toHaveBeenCalledExactlyOnceWith({ tone: 'success', title: visibility.shown })
})

it('announces refusals unless the form shows them', async () => {
  const queries = clientWith(['a'])
  const refused = (code: string) =>
    mutationOptions({
      mutationFn: () => Promise.reject(new ApiError(code, 'no such thing', 400)),
      meta: { failed: (error) => (error.code === 'asked' ? null : { title: 'visibility:notChanged' }) },
    })
  await run(queries, refused('asked'), undefined)
  expect(announce).not.toHaveBeenCalled()
  await run(queries, refused('else'), undefined)
  expect(announce.mock.calls[0]?.[0]).toMatchObject({ tone: 'danger', title: visibility.notChanged })
})

it('offers sign-in after an ended session', async () => {
  const queries = clientWith(['a'])
  const options = mutationOptions({
    mutationFn: () => Promise.reject(new ApiError('42501', 'permission denied', 401)),
    meta: { failed: 'visibility:notChanged' },
  })
  await run(queries, options, undefined)
  await vi.waitFor(() => expect(announce).toHaveBeenCalledOnce())
  const { title, action } = announce.mock.calls[0]?.[0] ?? {}
  expect([title, action?.label]).toEqual([visibility.notChanged, errors.signInAgain])
  const dialog = renderHook(useAuthDialog)
  act(() => action?.onSelect())
  expect(dialog.result.current).toBe('signIn')
  act(closeAuthDialog)
})

it('applies changes optimistically and reverts on refusal', async () => {
  const queries = clientWith(['a', 'b'])
  let answer = (_: Error): void => {}
  const options = mutationOptions({
    mutationFn: (_gone: string) => new Promise<void>((_done, refuse) => (answer = refuse)),
    ...optimistically<string[], string>(
      () => KEY,
      (rows, removed) => rows.filter((row) => row !== removed),
    ),
    meta: { invalidates: [SERVERS] },
  })
  const running = run(queries, options, 'a')
  await vi.waitFor(() => expect(queries.getQueryData(KEY)).toEqual(['b']))
  answer(new ApiError('42501', 'no', 403))
  await running
  expect(queries.getQueryData(KEY)).toEqual(['a', 'b'])
})

it('knows what belongs to the person who asked', () => {
  expect([KEY, ['account', OWN, 'user'], sessionKeys.profile('u1')].every((queryKey) => isOwn({ queryKey }))).toBe(true)
  expect(
    [
      [...SERVERS, 'list', {}],
      ['games', 'list'],
    ].some((queryKey) => isOwn({ queryKey })),
  ).toBe(false)
})
