/** The statements that create and change jobs, queues and webhooks, each shown before it runs. */
import { identifier, literal, qualified } from '@/postgres/quote'
import type { CronJob, Webhook } from './api'

export interface JobDraft {
  name: string
  schedule: string
  command: string
}

/**
 * Five fields, a word such as `@daily`, or a number of seconds; the database decides in the end.
 */
export const isSchedule = (text: string): boolean => /^(@[a-z]+|[1-5]?\d seconds?|\S+(\s+\S+){4})$/.test(text.trim())

export const createJobSql = ({ name, schedule, command }: JobDraft): string =>
  `select cron.schedule(${literal(name.trim())}, ${literal(schedule.trim())}, ${literal(command.trim())});`
export const changeJobSql = ({ id }: CronJob, { schedule, command }: JobDraft): string =>
  `select cron.alter_job(${Number(id)}, schedule => ${literal(schedule.trim())}, command => ${literal(command.trim())});`

/** The rule of pgmq for names of queues. */
export const isQueueName = (name: string): boolean => /^[a-z_][a-z0-9_]{0,46}$/.test(name.trim())

export const createQueueSql = (name: string): string => `select pgmq.create(${literal(name.trim())});`
export const purgeQueueSql = (name: string): string => `select pgmq.purge_queue(${literal(name)});`
export const dropQueueSql = (name: string): string => `select pgmq.drop_queue(${literal(name)});`

export const WEBHOOK_EVENTS = ['insert', 'update', 'delete'] as const
type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

export interface WebhookDraft {
  name: string
  /** A JSON array of schema and name, because names may contain dots. */
  table: string
  events: WebhookEvent[]
  method: 'POST' | 'GET'
  address: string
  /** A JSON object. */
  headers: string
  /** The timeout in milliseconds. */
  timeout: number
}

export const tableKey = (schema: string, name: string): string => JSON.stringify([schema, name])

/** A trigger in the format of Supabase's own dashboard, so that each shows the other's. */
export function createWebhookSql({ name, table, events, method, address, headers, timeout }: WebhookDraft): string {
  const [schema, relation] = JSON.parse(table) as [string, string]
  const values = [address.trim(), method, headers.trim() || '{}', '{}', String(timeout)].map(literal).join(', ')
  return `create trigger ${identifier(name.trim())}
after ${events.join(' or ')} on ${qualified(schema, relation)}
for each row execute function supabase_functions.http_request(${values});`
}

export const dropWebhookSql = ({ schema, table, name }: Webhook): string =>
  `drop trigger ${identifier(name)} on ${qualified(schema, table)};`
export const switchWebhookSql = ({ schema, table, name, enabled }: Webhook): string =>
  `alter table ${qualified(schema, table)} ${enabled ? 'disable' : 'enable'} trigger ${identifier(name)};`
