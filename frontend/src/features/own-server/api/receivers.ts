/** The receivers of a server's votes: at most one webhook and one Votifier listener. */
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { deliveryKeys } from '@/entities/delivery/keys'
import { ApiError, functionError, toApiError, unwrapOptional } from '@/lib/api/errors'
import { ownFunctions } from '@/lib/api/functions'
import { supabase } from '@/lib/api/supabase'
import type { VotifierValues, WebhookValues } from '../model/receivers'

async function fetchVotifier(serverId: string, signal: AbortSignal) {
  const answer = await supabase
    .from('votifier_configs')
    .select('host, port, protocol, token, public_key, is_active, disabled_at')
    .eq('server_id', serverId)
    .abortSignal(signal)
    .maybeSingle()
  return unwrapOptional(answer)
}

async function fetchWebhook(serverId: string, signal: AbortSignal) {
  const answer = await supabase
    .from('webhooks')
    .select('url, secret, format, is_active, disabled_at, previous_secret_until')
    .eq('server_id', serverId)
    .abortSignal(signal)
    .maybeSingle()
  return unwrapOptional(answer)
}

export type OwnVotifier = NonNullable<Awaited<ReturnType<typeof fetchVotifier>>>
export type OwnWebhook = NonNullable<Awaited<ReturnType<typeof fetchWebhook>>>

/** Null where none is set up. */
export const votifierQuery = (serverId: string) =>
  queryOptions({
    queryKey: deliveryKeys.receiver(serverId, 'votifier'),
    queryFn: ({ signal }) => fetchVotifier(serverId, signal),
  })

/** Null where none is set up. */
export const webhookQuery = (serverId: string) =>
  queryOptions({
    queryKey: deliveryKeys.receiver(serverId, 'webhook'),
    queryFn: ({ signal }) => fetchWebhook(serverId, signal),
  })

interface ReceiverChange<Values> {
  serverId: string
  /** Whether the receiver already exists. */
  exists: boolean
  values: Values
}

const done = (receiver: 'votifier' | 'webhook', exists: boolean) => ({
  title: `integrations:${receiver}.${exists ? 'updated' : 'created'}` as const,
})

async function saveVotifier({ serverId, exists, values }: ReceiverChange<VotifierValues>): Promise<void> {
  const { public_key, token, ...rest } = values
  // Empty fields are stored as null, which the database's constraint on tokens and keys expects.
  const row = { ...rest, token: token || null, public_key: public_key || null }
  const table = supabase.from('votifier_configs')
  const { error, status } = await (exists
    ? table.update(row).eq('server_id', serverId)
    : table.insert({ server_id: serverId, ...row }))
  if (error !== null) throw toApiError(error, status)
}

/** The form shows refusals; a toast confirms success. */
export const saveVotifierMutation = () =>
  mutationOptions({
    mutationFn: saveVotifier,
    meta: {
      invalidates: [deliveryKeys.all],
      waits: true,
      done: (_: void, { exists }: ReceiverChange<VotifierValues>) => done('votifier', exists),
    },
  })

async function saveWebhook({ serverId, exists, values }: ReceiverChange<WebhookValues>): Promise<void> {
  const table = supabase.from('webhooks')
  const { error, status } = await (exists
    ? table.update(values).eq('server_id', serverId)
    : table.insert({ server_id: serverId, ...values }))
  if (error !== null) throw toApiError(error, status)
}

/** The form shows refusals; a toast confirms success. */
export const saveWebhookMutation = () =>
  mutationOptions({
    mutationFn: saveWebhook,
    meta: {
      invalidates: [deliveryKeys.all],
      waits: true,
      done: (_: void, { exists }: ReceiverChange<WebhookValues>) => done('webhook', exists),
    },
  })

interface ReceiverName {
  serverId: string
  receiver: 'votifier' | 'webhook'
}

async function removeReceiver({ serverId, receiver }: ReceiverName): Promise<void> {
  const table = receiver === 'votifier' ? 'votifier_configs' : 'webhooks'
  const { error, status } = await supabase.from(table).delete().eq('server_id', serverId)
  if (error !== null) throw toApiError(error, status)
}

export const removeReceiverMutation = () =>
  mutationOptions({
    mutationFn: removeReceiver,
    meta: {
      invalidates: [deliveryKeys.all],
      waits: true,
      done: (_: void, { receiver }: ReceiverName) => ({ title: `integrations:${receiver}.deleted` as const }),
      failed: 'integrations:deleteFailed',
    },
  })

/** The result of a test delivery; `fault` is an error code. */
interface ReceiverTestResult {
  isDelivered: boolean
  isConfirmed: boolean
  fault: string | null
  status: number | null
  answer: string | null
}

async function tryReceiver({ serverId, receiver }: ReceiverName): Promise<ReceiverTestResult> {
  const functions = await ownFunctions()
  const answer = await functions.invoke<{ data: ReceiverTestResult }>(`${receiver}-test`, {
    body: { serverId },
  })
  if (answer.error !== null) throw await functionError(answer.error)
  if (answer.data === null) throw new ApiError('no_data', 'The answer is empty', 200)
  return answer.data.data
}

/**
 * Makes one delivery at once with the saved settings. The caller reports a failure of the request
 * itself.
 */
export const tryReceiverMutation = () =>
  mutationOptions({ mutationFn: tryReceiver, meta: { invalidates: [deliveryKeys.logs] } })
