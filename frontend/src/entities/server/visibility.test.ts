import { MutationObserver } from '@tanstack/react-query'
import i18next from 'i18next'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { gameKeys } from '@/entities/game/keys'
import { createQueryClient } from '@/lib/query/query-client'
import errors from '../../../locales/en/errors.json'
import visibility from '../../../locales/en/visibility.json'
import { serverKeys } from './keys'
import { mayShow, setVisibilityMutation, visibilityOf } from './visibility'

const rpc = vi.hoisted(() => vi.fn())
vi.mock('@/lib/api/supabase', () => ({ supabase: { rpc } }))

const announce = vi.fn()
const CHANGE = { id: 's1', userId: 'u1', name: 'Astra', isVisible: true }

beforeAll(async () => {
  await i18next.init({ lng: 'en', resources: { en: { errors, visibility } }, defaultNS: false })
})
beforeEach(() => {
  announce.mockReset()
  rpc.mockReset().mockResolvedValue({ error: null, status: 204 })
})

async function change() {
  const queries = createQueryClient({ announce })
  queries.setQueryData(gameKeys.list, [])
  queries.setQueryData(serverKeys.own('u1'), [{ id: 's1', is_hidden: true, hidden_reason: 'owner' }])
  await new MutationObserver(queries, setVisibilityMutation()).mutate(CHANGE).catch(() => {})
  return queries
}

function refuse(detail: string): void {
  rpc.mockResolvedValue({ error: { message: 'Refused', code: 'P0001', details: detail }, status: 400 })
}

it('invalidates the game list after a change', async () => {
  const queries = await change()
  expect(queries.getQueryState(gameKeys.list)?.isInvalidated).toBe(true)
  expect(announce).toHaveBeenCalledExactlyOnceWith({
    tone: 'success',
    title: visibility.shown,
    description: 'Astra',
  })
})

it.each([
  ['server_limit_reached', visibility.limit],
  ['game_closed', errors.gameClosed],
])('explains the refusal %s and reverts the change', async (detail, description) => {
  refuse(detail)
  const queries = await change()
  await vi.waitFor(() => expect(announce).toHaveBeenCalledOnce())
  expect(announce.mock.calls[0]?.[0]).toMatchObject({ tone: 'danger', title: visibility.notChanged, description })
  expect(queries.getQueryData(serverKeys.own('u1'))).toMatchObject([{ is_hidden: true }])
})

it.each([
  [{ is_hidden: false, is_approved: true, hidden_reason: null }, 'visible', false],
  [{ is_hidden: false, is_approved: false, hidden_reason: null }, 'waiting', false],
  [{ is_hidden: true, is_approved: true, hidden_reason: 'moderation' }, 'moderated', false],
  [{ is_hidden: true, is_approved: true, hidden_reason: 'game_closed' }, 'closed', false],
  [{ is_hidden: true, is_approved: true, hidden_reason: 'bonus_expired' }, 'lapsed', true],
  [{ is_hidden: true, is_approved: true, hidden_reason: 'owner' }, 'hidden', true],
] as const)('%o is %s, owner may show it: %s', (server, expected, shows) => {
  expect([visibilityOf(server), mayShow(expected)]).toEqual([expected, shows])
})
