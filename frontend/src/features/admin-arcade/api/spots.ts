/** Arcade spots, as administrators manage them. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { arcadeKeys } from '@/entities/arcade/keys'
import { paymentKeys } from '@/entities/payment/keys'
import { ApiError, toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { fetchTablePage } from '@/lib/api/table-page'
import { siteToday } from '@/lib/time/site-day'
import { dayBegins } from '@/lib/time/site-moment'

type TableRequest = TableState<'status' | 'position' | 'from' | 'to'>

/** Whether the database accepts the day; it refuses the 30th of February. */
const isDay = (text: string): boolean => dayBegins(text) !== null

function select({ filters }: TableRequest, signal?: AbortSignal) {
  let query = supabase
    .from('arcade_spots')
    .select(
      'id, position, start_date, end_date, status, image_url, website_url, servers(name, slug), payments(state, unit_price_cents, amount_cents, currency, profiles(username))',
      { count: 'exact' },
    )
  if (filters.status !== '') query = query.eq('status', filters.status)
  if (filters.position !== '') query = query.eq('position', Number(filters.position))
  if (isDay(filters.from)) query = query.gte('end_date', filters.from)
  if (isDay(filters.to)) query = query.lte('start_date', filters.to)
  return signal ? query.abortSignal(signal) : query
}

export const spotsQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: arcadeKeys.table(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

export const fetchAllSpots = async (request: TableRequest) =>
  unwrap(await select(request).order('start_date', { ascending: false }))
export type Spot = Awaited<ReturnType<typeof fetchAllSpots>>[number]

/** Spots that are held, booked or shown on some of the days. */
export const daysQuery = (from: string, until: string) =>
  queryOptions({
    queryKey: arcadeKeys.days(from, until),
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('arcade_spots')
          .select('id, position, start_date, end_date, status, servers(name)')
          .in('status', ['pending', 'paid', 'active', 'suspended'])
          .gte('end_date', from)
          .lte('start_date', until)
          .order('start_date')
          .abortSignal(signal),
      ),
  })

interface Switch {
  spot: Pick<Spot, 'id' | 'status' | 'start_date'>
  suspended: boolean
}

/** Changes the spot only if it is still in the state that was shown. */
async function change({ spot, suspended }: Switch): Promise<void> {
  const status = suspended ? 'suspended' : statusFrom(spot.start_date)
  const rows = unwrap(
    await supabase.from('arcade_spots').update({ status }).eq('id', spot.id).eq('status', spot.status).select('id'),
  )
  if (rows.length === 0) throw new ApiError('changed_meanwhile', 'Somebody else changed it', 409)
}

function statusFrom(day: string): 'active' | 'paid' {
  return day <= siteToday() ? 'active' : 'paid'
}

const MEANWHILE = {
  '23P01': 'admin-arcade:refusal.taken',
  changed_meanwhile: 'admin-arcade:refusal.changed',
} as const

export const suspendMutation = () =>
  mutationOptions({
    mutationFn: change,
    meta: {
      invalidates: [arcadeKeys.all],
      waits: true,
      done: { title: 'admin-arcade:changed' },
      failed: 'admin-arcade:notChanged',
      refusals: MEANWHILE,
    },
  })

async function remove(id: string): Promise<void> {
  const { error, status } = await supabase.from('arcade_spots').delete().eq('id', id)
  if (error !== null) throw toApiError(error, status)
}

export const removeMutation = () =>
  mutationOptions({
    mutationFn: remove,
    meta: {
      invalidates: [arcadeKeys.all, paymentKeys.all],
      waits: true,
      done: { title: 'admin-arcade:removed' },
      failed: 'admin-arcade:notRemoved',
    },
  })

interface FreeSpot {
  position: number
  from: string
  to: string
  picture: string
  website: string
}

async function give({ position, from, to, picture, website }: FreeSpot): Promise<void> {
  const { error, status } = await supabase.from('arcade_spots').insert({
    position,
    start_date: from,
    end_date: to,
    image_url: picture,
    website_url: website || null,
    status: statusFrom(from),
  })
  if (error !== null) throw toApiError(error, status)
}

/** Creates a spot without a payment. */
export const giveMutation = () =>
  mutationOptions({
    mutationFn: give,
    meta: { invalidates: [arcadeKeys.all], done: { title: 'admin-arcade:given' } },
  })
