/** Every payment, for the table of administrators. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TableState } from '@/components/table/table-state'
import { paymentKeys } from '@/entities/payment/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { fetchTablePage } from '@/lib/api/table-page'
import { periodOf } from '../model/period'

type TableRequest = TableState<'q' | 'state' | 'kind' | 'provider' | 'from' | 'to'>

const COLUMNS =
  'id, kind, state, provider, days, amount_cents, currency, created_at, refund_cents, refund_reason, refund_note, refunded_cents, refund_failed_at, problem, disputed_at, wants_person, payer, server_name, server_slug, spot_position, start_date, end_date, receipts'

const found = (text: string) =>
  text === ''
    ? supabase.from('payment_ledger').select(COLUMNS, { count: 'exact' })
    : supabase.rpc('search_payment_ledger', { p_text: text }, { count: 'exact' }).select(COLUMNS)

function select({ filters }: TableRequest, signal?: AbortSignal) {
  let query = found(filters.q)
  const { from, until } = periodOf(filters.from, filters.to)
  if (filters.state === 'trouble') query = query.is('wants_person', true)
  else if (filters.state !== '') query = query.eq('state', filters.state)
  if (filters.kind !== '') query = query.eq('kind', filters.kind)
  if (filters.provider !== '') query = query.eq('provider', filters.provider)
  if (from !== null) query = query.gte('created_at', from)
  if (until !== null) query = query.lt('created_at', until)
  return signal ? query.abortSignal(signal) : query
}

export const ledgerQuery = (request: TableRequest) =>
  queryOptions({
    queryKey: paymentKeys.ledger(request),
    queryFn: ({ signal }) => fetchTablePage(() => select(request, signal), request),
    placeholderData: keepPreviousData,
  })

export const fetchAllLedger = async (request: TableRequest) =>
  unwrap(await select(request).order('created_at', { ascending: false }))
export type LedgerRow = Awaited<ReturnType<typeof fetchAllLedger>>[number]
