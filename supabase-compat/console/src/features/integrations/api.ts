/**
 * Cron, queues, the vault and webhooks, read from the tables of the extensions or of their
 * replacements.
 */
import { queryOptions } from '@tanstack/react-query'
import { serviceRequest } from '@/api/client'
import { identifier, qualified } from '@/postgres/quote'
import { objectsOf } from '@/postgres/relations'
import { runQuery } from '@/postgres/run-query'

/** Which of these features exist in this database. */
export interface AvailableFeatures {
  cron: boolean
  /** Whether our table of due times exists, by which a job can be started; pg_cron has none. */
  due_times: boolean
  queues: boolean
  vault: boolean
  webhooks: boolean
  calls: boolean
}

const AVAILABLE = `select pg_catalog.to_regclass('cron.job') is not null as cron,
  pg_catalog.to_regclass('cron.job_due_times') is not null as due_times,
  pg_catalog.to_regclass('pgmq.meta') is not null as queues,
  pg_catalog.to_regclass('vault.secrets') is not null as vault,
  pg_catalog.to_regprocedure('supabase_functions.http_request()') is not null as webhooks,
  pg_catalog.to_regclass('net._http_response') is not null as calls`

async function read<T>(query: string, signal: AbortSignal, parameters?: readonly (string | null)[]): Promise<T[]> {
  return objectsOf(await runQuery({ query, signal, maxRows: 1000, ...(parameters ? { parameters } : {}) })) as T[]
}

export const availableQuery = queryOptions({
  queryKey: ['integrations', 'available'],
  queryFn: async ({ signal }) => (await read<AvailableFeatures>(AVAILABLE, signal))[0]!,
})

export interface CronJob {
  id: string
  name: string | null
  schedule: string
  command: string
  username: string
  active: boolean
  next_at: string | null
  last_status: string | null
  last_at: string | null
  last_message: string | null
}

const jobsSql = (
  hasDueTimes: boolean,
) => `select j.jobid::text as id, j.jobname as name, j.schedule, j.command, j.username,
  j.active, ${hasDueTimes ? 't.next_at::text' : 'null::text'} as next_at, d.status as last_status,
  d.start_time::text as last_at, d.return_message as last_message
from cron.job as j
${hasDueTimes ? 'left join cron.job_due_times as t on t.jobid = j.jobid' : ''}
left join lateral (
  select r.status, r.start_time, r.return_message from cron.job_run_details as r
  where r.jobid = j.jobid order by r.start_time desc nulls last, r.runid desc limit 1
) as d on true
order by coalesce(j.jobname, j.command), j.jobid`

export const jobsQuery = (hasDueTimes: boolean) =>
  queryOptions({
    queryKey: ['integrations', 'cron', hasDueTimes],
    queryFn: ({ signal }) => read<CronJob>(jobsSql(hasDueTimes), signal),
  })

export interface CronRun {
  id: string
  status: string
  message: string | null
  start_at: string | null
  milliseconds: number | null
}

export const runsQuery = (job: string) =>
  queryOptions({
    queryKey: ['integrations', 'cron', 'runs', job],
    queryFn: ({ signal }) =>
      read<CronRun>(
        `select r.runid::text as id, r.status, r.return_message as message, r.start_time::text as start_at,
  (extract(epoch from r.end_time - r.start_time) * 1000)::float8 as milliseconds
from cron.job_run_details as r where r.jobid = $1::text::bigint
order by r.start_time desc nulls last, r.runid desc limit 50`,
        signal,
        [job],
      ),
  })

/** Makes a job due now, so that it runs as usual, with its own role and log. */
export const runJobSql = (job: string) =>
  `update cron.job_due_times set next_at = now() where jobid = ${Number(job)};\nselect pg_notify('cron', '');`
export const switchJobSql = (job: string, isOn: boolean) => `select cron.alter_job(${Number(job)}, active => ${isOn});`
export const dropJobSql = (job: string) => `select cron.unschedule(${Number(job)});`

export interface Queue {
  name: string
  length: number
  visible: number
  total: number
  oldest_at: string | null
}

export const queuesQuery = queryOptions({
  queryKey: ['integrations', 'queues'],
  queryFn: ({ signal }) =>
    read<Queue>(
      `select m.queue_name as name, x.queue_length::float8 as length, x.queue_visible_length::float8 as visible,
  x.total_messages::float8 as total, (now() - x.oldest_msg_age_sec * interval '1 second')::text as oldest_at
from pgmq.meta as m cross join lateral pgmq.metrics(m.queue_name) as x order by m.queue_name`,
      signal,
    ),
})

export interface QueueMessage {
  id: string
  reads: number
  enqueued_at: string
  visible_at: string
  message: unknown
}

const tableOf = (queue: string) => qualified('pgmq', `q_${queue}`)

export const messagesQuery = (queue: string) =>
  queryOptions({
    queryKey: ['integrations', 'queues', queue],
    queryFn: ({ signal }) =>
      read<QueueMessage>(
        `select msg_id::text as id, read_ct as reads, enqueued_at::text as enqueued_at, vt::text as visible_at, message
from ${tableOf(queue)} order by msg_id limit 50`,
        signal,
      ),
  })

/** Sends, deletes and archives through the queue's functions, so that their guarantees hold. */
export const sendMessage = ({ queue, message }: { queue: string; message: string }) =>
  runQuery({
    query: 'select * from pgmq.send($1::text, $2::text::jsonb)',
    parameters: [queue, message],
    isReadOnly: false,
  })
export const changeMessage = ({ queue, id, change }: { queue: string; id: string; change: 'delete' | 'archive' }) =>
  runQuery({
    query: `select pgmq.${identifier(change)}($1::text, $2::text::bigint)`,
    parameters: [queue, id],
    isReadOnly: false,
  })

export interface VaultSecret {
  id: string
  name: string | null
  description: string
  created_at: string
  updated_at: string
}

export const vaultQuery = queryOptions({
  queryKey: ['integrations', 'vault'],
  queryFn: ({ signal }) =>
    read<VaultSecret>(
      `select id::text, name, description, created_at::text, updated_at::text from vault.secrets
order by name nulls last, created_at`,
      signal,
    ),
})

/**
 * Reads one secret. It runs as a write, so that the audit log has the statement with its id, but
 * not the value.
 */
export async function openSecret(id: string): Promise<string> {
  const { rows } = await runQuery({
    query: `select decrypted_secret from vault.decrypted_secrets where id = '${id.replaceAll(/[^\da-f-]/gi, '')}'`,
    isReadOnly: false,
  })
  return String(rows[0]?.[0] ?? '')
}

export const createSecret = ({ name, value, description }: { name: string; value: string; description: string }) =>
  runQuery({
    query: `select vault.create_secret($1::text, nullif($2::text, ''), $3::text)`,
    parameters: [value, name, description],
    isReadOnly: false,
  })
export const deleteSecret = (id: string) =>
  runQuery({ query: 'delete from vault.secrets where id = $1::text::uuid', parameters: [id], isReadOnly: false })

export interface Webhook {
  schema: string
  table: string
  name: string
  enabled: boolean
  definition: string
  last_at: string | null
}

export const webhooksQuery = queryOptions({
  queryKey: ['integrations', 'webhooks'],
  queryFn: ({ signal }) =>
    read<Webhook>(
      `select n.nspname as schema, c.relname as table, t.tgname as name, t.tgenabled <> 'D' as enabled,
  pg_catalog.pg_get_triggerdef(t.oid, true) as definition,
  (
    select max(h.created_at)::text from supabase_functions.hooks as h
    where h.hook_table_id = t.tgrelid::int8 and h.hook_name = t.tgname
  ) as last_at
from pg_catalog.pg_trigger as t
join pg_catalog.pg_class as c on c.oid = t.tgrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where t.tgfoid = pg_catalog.to_regprocedure('supabase_functions.http_request()') and not t.tgisinternal
order by n.nspname, c.relname, t.tgname`,
      signal,
    ),
})

export interface OutgoingCall {
  id: string
  status: number | null
  error: string | null
  timed_out: boolean | null
  at: string
}

export const callsQuery = queryOptions({
  queryKey: ['integrations', 'calls'],
  queryFn: ({ signal }) =>
    read<OutgoingCall>(
      `select id::text, status_code as status, error_msg as error, timed_out, created::text as at
from net._http_response order by created desc limit 50`,
      signal,
    ),
})

export interface TaskRow {
  name: string
  /** Null while it pauses before its restart. */
  since: number | null
  failures: number
}

export const tasksQuery = queryOptions({
  queryKey: ['integrations', 'tasks'],
  queryFn: async ({ signal }): Promise<TaskRow[]> => {
    const { tasks } = await serviceRequest<{
      tasks: { name: string; running_for_seconds: number | null; failures: number }[]
    }>('project/tasks', { signal })
    return tasks.map(({ name, running_for_seconds: seconds, failures }) => ({
      name,
      since: seconds === null ? null : Date.now() - seconds * 1000,
      failures,
    }))
  },
})

export interface Outbox {
  schema: string
  table: string
}

export interface OutboxCounts {
  waiting: number
  given_up: number
  next_due: string | null
}

/** Tables with the columns of our own queues. */
export const outboxesQuery = queryOptions({
  queryKey: ['integrations', 'outboxes'],
  queryFn: ({ signal }) =>
    read<Outbox>(
      `select n.nspname as schema, c.relname as table from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where c.relkind = 'r' and pg_catalog.has_table_privilege(c.oid, 'select') and 8 = (
  select count(*) from pg_catalog.pg_attribute as a
  where a.attrelid = c.oid and not a.attisdropped
    and a.attname in ('id', 'kind', 'payload', 'put_at', 'due_at', 'attempts', 'given_up_at', 'reason')
) order by n.nspname, c.relname`,
      signal,
    ),
})

export const outboxCountsQuery = ({ schema, table }: Outbox) =>
  queryOptions({
    queryKey: ['integrations', 'outboxes', schema, table, 'counts'],
    queryFn: async ({ signal }) =>
      (
        await read<OutboxCounts>(
          `select count(*) filter (where given_up_at is null)::float8 as waiting,
  count(*) filter (where given_up_at is not null)::float8 as given_up,
  (min(due_at) filter (where given_up_at is null))::text as next_due
from ${qualified(schema, table)}`,
          signal,
        )
      )[0]!,
  })

export interface FailedJob {
  id: string
  kind: string
  attempts: number
  reason: string | null
  put_at: string
  given_up_at: string | null
}

/** Failed jobs without their payload, which may contain somebody's link. */
export const failedJobsQuery = ({ schema, table }: Outbox) =>
  queryOptions({
    queryKey: ['integrations', 'outboxes', schema, table, 'failed'],
    queryFn: ({ signal }) =>
      read<FailedJob>(
        `select id::text, kind, attempts, reason, put_at::text, given_up_at::text
from ${qualified(schema, table)} where reason is not null or given_up_at is not null order by id desc limit 50`,
        signal,
      ),
  })
