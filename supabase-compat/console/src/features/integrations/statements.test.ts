import { describe, expect, test } from 'vitest'
import type { Webhook } from './api'
import {
  createJobSql,
  createQueueSql,
  createWebhookSql,
  dropWebhookSql,
  isQueueName,
  isSchedule,
  tableKey,
  type WebhookDraft,
} from './statements'

describe('statements of integrations', () => {
  test('schedules accept five fields, keywords or seconds', () => {
    const texts = ['0 3 * * *', '@daily', '10 seconds', '* * * *', 'each day', '']
    expect(texts.map(isSchedule)).toEqual([true, true, true, false, false, false])
  })

  test('quotes in a job are escaped', () => {
    const job = { name: "it's", schedule: '@daily', command: "select 'x'" }
    expect(createJobSql(job)).toBe("select cron.schedule('it''s', '@daily', 'select ''x''');")
  })

  test('invalid queue names are refused', () => {
    expect(['mails', 'Mails', '1st', 'a'.repeat(48)].map(isQueueName)).toEqual([true, false, false, false])
    expect(createQueueSql(' mails ')).toBe("select pgmq.create('mails');")
  })

  test('a webhook is a trigger with five arguments', () => {
    const draft: WebhookDraft = {
      name: 'tell "x"',
      table: tableKey('public', 'a.b'),
      events: ['insert', 'delete'],
      method: 'POST',
      address: "https://x.test/it's",
      headers: '',
      timeout: 5000,
    }
    expect(createWebhookSql(draft)).toBe(`create trigger "tell ""x"""
after insert or delete on "public"."a.b"
for each row execute function supabase_functions.http_request('https://x.test/it''s', 'POST', '{}', '{}', '5000');`)
    const hook = { schema: 'public', table: 'a', name: 'b' } as Webhook
    expect(dropWebhookSql(hook)).toBe('drop trigger "b" on "public"."a";')
  })
})
