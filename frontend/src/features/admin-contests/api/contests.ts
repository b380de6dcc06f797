/** Competitive events, as administrators manage them. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { competitionKeys } from '@/entities/competition/keys'
import { serverKeys } from '@/entities/server/keys'
import { ApiError, toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { containing, fetchTablePage } from '@/lib/api/table-page'

type TableRequest = TableState<'q' | 'state'>

function select({ filters }: TableRequest, now: string, signal?: AbortSignal) {
  let query = supabase
    .from('competitive_events')
    .select(
      'id, name, name_en, name_es, description, description_en, description_es, start_date, end_date, is_active, is_finished, is_success, total_votes, target_votes, winner_count, prestige_days, game_ids, updated_at',
      { count: 'exact' },
    )
  if (filters.q !== '') query = query.ilike('name', containing(filters.q))
  if (filters.state === 'hidden') query = query.is('is_active', false)
  if (filters.state === 'upcoming') query = query.gt('start_date', now)
  if (filters.state === 'live') query = query.lte('start_date', now).gt('end_date', now).is('is_finished', false)
  if (filters.state === 'due') query = query.lte('end_date', now).is('is_finished', false)
  if (filters.state === 'ended') query = query.is('is_finished', true)
  return signal ? query.abortSignal(signal) : query
}

const nowIso = (): string => new Date().toISOString()

export const contestsQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: competitionKeys.table(request),
    queryFn: ({ signal }) => {
      const now = nowIso()
      return fetchTablePage(() => select(request, now, signal), request)
    },
    placeholderData: keepPreviousData,
  })

export const fetchAllContests = async (request: TableRequest) =>
  unwrap(await select(request, nowIso()).order('start_date', { ascending: false }))
export type Contest = Awaited<ReturnType<typeof fetchAllContests>>[number]

interface Draft {
  name: string
  name_en: string | null
  name_es: string | null
  description: string | null
  description_en: string | null
  description_es: string | null
  start_date: string
  end_date: string
  target_votes: number
  winner_count: number
  prestige_days: number
  game_ids: string[]
  is_active: boolean
}

interface Save {
  draft: Draft
  /** The event as it was shown; null for a new one. */
  before: Pick<Contest, 'id' | 'updated_at'> | null
}

/** Does not overwrite a change that somebody else made since the event was read. */
async function save({ draft, before }: Save): Promise<void> {
  if (before === null) {
    const { error, status } = await supabase.from('competitive_events').insert(draft)
    if (error !== null) throw toApiError(error, status)
    return
  }
  const rows = unwrap(
    await supabase
      .from('competitive_events')
      .update(draft)
      .eq('id', before.id)
      .eq('updated_at', before.updated_at)
      .select('id'),
  )
  if (rows.length === 0) throw new ApiError('changed_meanwhile', 'Somebody else changed it', 409)
}

export const saveContestMutation = () =>
  mutationOptions({
    mutationFn: save,
    meta: {
      invalidates: [competitionKeys.all],
      done: (_: void, { before }: Save) => ({ title: before ? 'admin-contests:saved' : 'admin-contests:created' }),
    },
  })

async function remove(id: string): Promise<void> {
  const { error, status } = await supabase.from('competitive_events').delete().eq('id', id)
  if (error !== null) throw toApiError(error, status)
}

export const removeContestMutation = () =>
  mutationOptions({
    mutationFn: remove,
    meta: {
      invalidates: [competitionKeys.all],
      waits: true,
      done: { title: 'admin-contests:removed' },
      failed: 'admin-contests:notRemoved',
    },
  })

async function finalise(id: string): Promise<{ isSuccess: boolean; votes: number; rewarded: number }> {
  const [result] = unwrap(await supabase.rpc('finalize_competitive_event', { p_event_id: id }))
  if (!result) throw new ApiError('no_data', 'The answer is empty', 200)
  return { isSuccess: result.is_success, votes: result.total_votes, rewarded: result.rewarded_servers }
}

/** Finalizes an event that is over, and gives the winners their days. */
export const finaliseMutation = () =>
  mutationOptions({
    mutationFn: finalise,
    meta: {
      invalidates: [competitionKeys.all, serverKeys.all],
      failed: 'admin-contests:finalise.failed',
      refusals: {
        already_finished: 'admin-contests:finalise.already',
        not_ended: 'admin-contests:finalise.notEnded',
      },
    },
  })
